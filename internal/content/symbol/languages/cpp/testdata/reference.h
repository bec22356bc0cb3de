#pragma once

/* Doc. */
#define READER_LIMIT 10
#define READER_MAX(a, b) ((a) > (b) ? (a) : (b))

struct reader;
typedef struct point {
  int x, y;
  unsigned flag : 1;
  union { int i; float f; } value;
} point;
typedef struct { char *name; } entry;
typedef int (*callback)(void *user, unsigned n);
typedef unsigned long size, *size_pointer;
enum color { RED = 1, GREEN };

extern int reader_count;
int reader_open(const char *path, int flags);
char *reader_name(struct reader *r, callback done, int (*other)(int code));
static inline int reader_twice(int n) { int local = n; return local * 2; }
int (reader_close)(struct reader *r);
void (*reader_hook)(int code);
extern const char *const reader_names[];
static const int reader_first = 3;
char *reader_text(void);
