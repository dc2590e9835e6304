// Package cache keeps what was read last.
package cache

import (
	"fmt"
	"sync"
)

const (
	Least = 1
	Most  = 64
)

// Cache holds a few values.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	items map[K]V `json:"items"`
}

type (
	Key   string
	Store interface {
		Get(key Key) (string, error)
		Put(key Key,
			value string)
	}
)

var defaults = map[string]int{
	"least": Least,
	"most":  Most,
}

// New makes an empty one.
func New[K comparable, V any](
	size int,
) *Cache[K, V] {
	return &Cache[K, V]{items: make(map[K]V, size)}
}

func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok := c.items[key]
	return value, ok
}

func (k Key) String() string { return fmt.Sprintf("%s/%d", string(k), len(k)) }

func (c *Cache[K, V]) Each(visit func(key K, value V) error) error {
	for key, value := range c.items {
		if err := visit(key, value); err != nil {
			return fmt.Errorf(
				"visiting %v: %w", key,
				err)
		}
	}
	switch len(c.items) {
	case 0:
		return nil // nothing to see
	default:
		go func() {
			fmt.Println(`done`)
		}()
	}
	return nil
}
