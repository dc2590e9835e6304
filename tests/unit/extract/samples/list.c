/* A list of numbers. */
#include <stdio.h>
#include "list.h"

#define MOST 64
#define SMALLER(a, b) \
    ((a) < (b) ? (a) : (b))

typedef struct {
    int value;
    struct node *next;
} entry_t;

struct node {
    int value; // what it holds
    struct node *next;
};

enum order {
    ASCENDING,
    DESCENDING,
};

static const char *names[] = {
    "ascending",
    "descending",
};

static struct node *make(int value, struct node *next);

static struct node *
make(int value,
     struct node *next)
{
    struct node *made = malloc(sizeof *made);
    if (made == NULL || value < 0)
        return NULL;
    made->value = SMALLER(value, MOST);
    return made;
}

int (*chooser(enum order order))(int, int)
{
    switch (order) {
    case ASCENDING:
        return less;
    default:
        return more;
    }
}

#ifdef WITH_PRINTING
void print_all(const struct node *list) {
    for (; list; list = list->next) {
        printf("%d: %s %c\n", list->value,
               names[0], '\n');
    }
}
#else
void print_all(const struct node *list) {}
#endif
