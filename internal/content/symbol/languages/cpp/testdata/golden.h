#ifndef READER_H
#define READER_H
#include <stddef.h>

/* Doc. */
#define READER_LIMIT 10
#define READER_MAX(a, b) \
  ((a) > (b) ? (a) : (b))

#ifdef __cplusplus
extern "C" {
#endif

struct reader;
typedef struct point {
  int x, y;
  unsigned flag : 1;
  union { int i; float f; } value;
} point;
typedef struct { char *name; } entry;
typedef int (*callback)(void *user, size_t n);
typedef unsigned long size, *size_pointer;
enum color { RED = 1, GREEN, };
enum { ONE, TWO };

extern int reader_count;
READER_EXPORT int reader_open(const char *path, int flags) __attribute__((nonnull(1)));
READER_API(char *) reader_name(struct reader *r, callback done, int (*other)(int code));
static inline int reader_twice(int n) { return n * 2; }
int (reader_close)(struct reader *r);
void (*reader_hook)(int code), *reader_user;
DECLARE_LIST(entry)
int old_style(a, b) int a; char *b; { return a; }
extern const char *const reader_names[];
int reader_plain(int namespace, char *class);

#if defined(READER_WIDE)
wchar_t *reader_text(void);
#elif 0
it's no code {
#else
char *reader_text(void);
#endif
#ifdef __cplusplus
}
#endif
#endif
