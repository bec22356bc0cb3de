#pragma once
#include <string>
namespace a {
// Doc.
template <typename T>
class Reader : public Base {
  int secret;
  void hidden();
public:
  static const int kLimit = 10;
  explicit Reader(const std::string &path, int n = 1) : path_(path) { int local; }
  virtual ~Reader();
  T *read(int n) const { return nullptr; }
  Reader &operator=(const Reader &other);
  std::string name;
protected:
  virtual void close() = 0;
private:
  std::string path_;
};
struct Point { int x; int y; void move(int dx); };
enum class Color { Red = 1, Green };
using Alias = std::vector<int>;
template <typename U> U parse(const char *text);
namespace { int internal() { return 1; } }
}
int a::Reader::outside(int n) { return n; }
static int fileLocal() { return 1; }
