#pragma once
namespace a::b {
struct Base { virtual ~Base(); };
template <typename T> struct List { T x; };
// Doc.
template <typename T, int N = 2>
class Reader final : public Base {
  int secret;
  void hidden();

public:
  static constexpr int kLimit = 10;
  enum class Mode : int { Read = 2, Write };
  explicit Reader(const List<int> &path, int n = 1) : n_{n} { int local; }
  virtual ~Reader() noexcept(false);
  Reader &operator=(const Reader &) = delete;
  explicit operator bool() const { return true; }
  T operator()(int n) const;
  template <typename U> U get(U &&u) { return {}; }
  List<List<int>> index, other;
  struct Inner { int x; };
protected:
  virtual void close(int a, char b) = 0;
private:
  int n_;
};
enum class Color { Red = 1, Green };
using Alias = List<int>;
template <typename U> using Lists = List<List<U>>;
template <typename T> auto parse(const char *text, T t) -> decltype(text);
inline constexpr int raw = 1;
inline namespace v1 { void versioned(int n = 1'000); }
}
extern "C" int plain(int n, char *b);
static int fileLocal() { return 1; }
