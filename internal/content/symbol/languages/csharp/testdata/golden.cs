using System;
namespace A.B
{
  /// <summary>Doc.</summary>
  [Serializable]
  public abstract class Reader<T> : Base, IDisposable where T : class
  {
    public const int Limit = 10, More = 2;
    private string secret;
    public string Name { get; private set; } = "x";
    public int Size => 3;
    public Reader(string path = "p") : base(path) { }
    public async Task<int> Read(int n, params string[] rest) { void Local() {} return 1; }
    protected abstract void Close();
    internal void Inner() { }
    void Hidden() { }
    public static Reader<T> operator +(Reader<T> a, Reader<T> b) => a;
    public event EventHandler Changed;
    public int this[int i] { get { return i; } }
  }
  public interface IWalk { void Walk(); int N { get; } }
  public enum Color { Red = 1, Green }
  public record Point(int X, int Y);
  internal class Internal { public void M() { } }
  public delegate void Handler(object sender);
}
