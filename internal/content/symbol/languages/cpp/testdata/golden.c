#include "reader.h"
#define LOCAL 1
typedef struct { int n; } local;
static int hidden(int n);
int reader_count = 1, reader_other;
static const char *names[] = { "a", "b" };
const char *const reader_names[] = { "a\
b", "}" };
extern int reader_open(const char *path, int flags)
{
  if (*path == '}') {
#ifdef WIDE
    if (flags) {
#else
    if (!flags) {
#endif
      return hidden(1); // }
    }
  }
  return "}"[0];
}
static int hidden(int n) { struct { int x; } y; return n; }
#ifdef WIDE
static
#endif
void reader_close(void) { }
int new(int delete) { return delete; }
MODULE_LICENSE("MIT");
