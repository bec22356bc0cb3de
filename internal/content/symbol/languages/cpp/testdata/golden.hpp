#pragma once
#include <string>
LIBRARY_BEGIN
namespace a::b {
// Doc.
template <typename T, class = std::enable_if_t<(sizeof(T) > 1)>>
class EXPORT Reader final : public Base<T>, private Other {
  int secret;
  void hidden();
  friend class Peer;
  friend bool operator==(const Reader &x, const Reader &y) { return true; }

public:
  Q_OBJECT
  static constexpr int kLimit = 10;
  enum class Mode : int { Read = 2, Write };
  explicit Reader(const std::string &path, int n = 1) : path_(path), n_{n} { int local; }
  virtual ~Reader() noexcept(false);
  Reader &operator=(const Reader &) = delete;
  explicit operator bool() const { return true; }
  T operator()(int n) const &;
  template <typename U> U get(U &&u) requires (sizeof(U) > 2) { return {}; }
  std::map<int, std::vector<int>> index, other;
  struct Inner { int x; };
  union { int i; float f; };
signals:
  void changed(int n);
protected:
  virtual void close() = 0;
private:
  std::string path_;
};
template <> struct hash<Reader<int>> { size_t operator()(const Reader<int> &r) const; };
enum class Color { Red = 1, Green };
using Alias = std::vector<int>;
template <typename U> using List = std::vector<U>;
template <typename T> concept Readable = requires(T t) { t.read(); };
template <typename T> requires requires(T t) { t.x(); } auto parse(const char *text) -> decltype(text);
inline constexpr auto raw = R"x(})" // {)x";
using std::swap;
namespace { int internal() { return 1; } }
inline namespace v1 { void versioned(int n = 1'000); }
}
template <typename T> int a::b::Reader<T>::outside(int n) const try { return n; } catch (...) { }
extern "C" int plain(int n);
static int fileLocal() { return 1; }
struct Forward;
LIBRARY_END
