using System;
[assembly: CLSCompliant(true)]
namespace A.B
{
    /// <summary>Doc.</summary>
    [Obsolete("use Other")]
    public abstract partial class Reader<T> : Base, IDisposable where T : class, new()
    {
        public const int Limit = 10, More = 2;
        public static readonly string Name = "x" + "y";
        private int secret;
        protected int size = 1;
        public event EventHandler Changed, Opened;
        public event EventHandler Closed { add { } remove { } }
        public Reader(string path, int n = 1) : base(path) { this.path = path; }
        static Reader() { }
        ~Reader() { }
        public string Path { get; private set; } = "x";
        public int Count => 1;
        public int Size { get { return 1; } }
        public string this[int index] => "x";
        public async Task<U> ReadAsync<U>(int n, params string[] rest) { int Local() => 1; return await F(); }
        protected internal virtual void Close() { }
        private protected void Inside() { }
        internal void InAssembly() { }
        void Hidden() { }
        void IDisposable.Dispose() { }
        public static Reader<T> operator +(Reader<T> a, Reader<T> b) => a;
        public static implicit operator int(Reader<T> a) => 1;
        public class Inner { public int X; }
        public enum Color { Red = 1, Green }
        public delegate void Handler(object sender);
#if NET8_0_OR_GREATER
        public ReadOnlySpan<byte> Span() => default;
#elif NETSTANDARD
        public byte[] Span() => null;
#if DEBUG
        public void Debug() { }
#else
        public void Release() { }
#endif
#else
        #region old
        public byte[] Old()
        {
            return @"
#if in a string
";
        }
        #endregion
#endif
    }

    public interface IWalker
#if NET
        : IDisposable
#endif
    { void Walk(); int Count { get; set; } private void P() { } event EventHandler Walked; }
    public record Point(int X, int Y) : Base(X);
    public readonly record struct Pair<T> { public required T First { get; init; } }
    class Internal { public void M() { } }
}
