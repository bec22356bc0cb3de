package a.b;
import java.util.List;
/** Doc. */
@Deprecated
public abstract class Reader<T> extends Base implements Closeable {
  public static final int LIMIT = 10, MORE = 2;
  private String secret;
  protected int size;
  public Reader(String path) { this.path = path; }
  public <U> List<U> read(int n, String... rest) throws IOException { int x = 1; return null; }
  @Override protected abstract void close();
  void packagePrivate() {}
  private void hidden() {}
  public enum Color { RED(1), GREEN { void f() {} }; public int n() { return 1; } }
  public record Point(int x, int y) {}
  public interface Walker { void walk(); default int n() { return 1; } int K = 3; }
}
class Hidden { public void m() {} }
@interface Mark { String value() default "x"; }
