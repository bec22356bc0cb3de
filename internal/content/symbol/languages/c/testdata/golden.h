#ifndef A_H
#define A_H
/* Doc. */
#define LIMIT 10 /* c */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct node { int value; struct node *next; };
typedef struct { int x, y; } point;
typedef int (*callback)(void *data, int n);
enum color { RED = 1, GREEN };
extern int count, *pointer, array[10];
static int hidden = 1;
char *parse(const char *text, int n);
static inline int inner(int a) { int local = 1; return a; }
int defined(void)
{
	return 1;
}
const char **twice(void);
void (*handler)(int);
#endif
