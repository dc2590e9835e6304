using System;
using System.Collections.Generic;

namespace Example.Shop
{
    /// <summary>What is sold.</summary>
    [Serializable]
    [Table("items",
        Schema = "shop")]
    public class Store<T> : Base, IStore where T : class
    {
        private readonly List<T> items = new();

        public string Name { get; set; } = "main"; // shown

        public int Count
        {
            get { return items.Count; }
            set
            {
                Resize(value, "count", true);
            }
        }

        public Store(IEnumerable<T> items,
            string name)
            : base(name)
        {
            this.items.AddRange(items);
        }

        [Obsolete]
        public async Task<T> FindAsync(
            Func<T, bool> wanted)
        {
            foreach (var item in items)
            {
                if (wanted(item))
                    return item;
            }
            var found = await Remote.Search(wanted, $"in {Name}",
                @"c:\items");
            items.ForEach(item =>
            {
                Console.WriteLine(item);
            });
            return found switch
            {
                null => throw new KeyNotFoundException(),
                _ => found,
            };
        }

        public int Twice(int x) => x * 2;

        public enum State
        {
            Open,
            Closed,
        }

        public record Point(int X, int Y);
    }

    internal interface IStore
    {
        int Count { get; }
        void Clear(bool all);
    }
}
