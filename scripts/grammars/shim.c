// What the Go side of this package calls, between the core of tree-sitter and one grammar.
// scripts/grammars.sh compiles it with both to WebAssembly without any import: the stubs at
// the end stand for the system, and say that there is none.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tree_sitter/api.h"

#define EXPORT(name) __attribute__((export_name(#name)))

extern const TSLanguage *LANGUAGE(void);

static TSParser *parser;
static TSQuery *query;
static TSQueryCursor *cursor;
static TSTree *tree;
static uint32_t *words, count, capacity, most; // the answer of a call; most bounds count
static const char *source;
static uint32_t length;
int64_t steps = INT64_MAX;        // that are left; without any, the core ends with a trap
uint32_t leaves = UINT32_MAX;     // the capture of what the query does not enter
uint32_t wrong_start, wrong_end;  // the token that cannot follow the text before it

enum { OK, SYNTAX, RECORDS, FAILED };

static int put(uint32_t n, const uint32_t *values) {
	if (count + n > most) return 0;
	if (count + n > capacity) {
		capacity = capacity ? capacity * 2 : 1 << 12;
		words = realloc(words, capacity * sizeof *words);
		if (!words) __builtin_trap();
	}
	memcpy(words + count, values, n * sizeof *words);
	count += n;
	return 1;
}

EXPORT(allocate) void *allocate(uint32_t n) {
	void *p = malloc(n);
	if (!p) __builtin_trap();
	return p;
}
EXPORT(release) void release(void *p) { free(p); }
EXPORT(answer) uint32_t *answer(void) { return words; }
EXPORT(answered) uint32_t answered(void) { return count; }

// prepare compiles the query: 0, or the offset of its error plus one.
EXPORT(prepare) uint32_t prepare(const char *text, uint32_t n) {
	uint32_t offset;
	TSQueryError error;
	parser = ts_parser_new();
	cursor = ts_query_cursor_new();
	if (!ts_parser_set_language(parser, LANGUAGE())) return 1;
	query = ts_query_new(LANGUAGE(), text, n, &offset, &error);
	for (uint32_t id = 0; query && id < ts_query_capture_count(query); id++)
		if (!strcmp(ts_query_capture_name_for_id(query, id, &offset), "body")) leaves = id;
	return query ? 0 : offset + 1;
}

// Names of captures and strings of the query, for the words of capture and predicates.
EXPORT(captures) uint32_t captures(void) { return ts_query_capture_count(query); }
EXPORT(patterns) uint32_t patterns(void) { return ts_query_pattern_count(query); }
static uint32_t size;
EXPORT(sized) uint32_t sized(void) { return size; }
EXPORT(capture) const char *capture(uint32_t id) { return ts_query_capture_name_for_id(query, id, &size); }
EXPORT(string) const char *string(uint32_t id) { return ts_query_string_value_for_id(query, id, &size); }
EXPORT(predicates) const TSQueryPredicateStep *predicates(uint32_t pattern) {
	return ts_query_predicates_for_pattern(query, pattern, &size);
}

static const char *next(void *payload, uint32_t byte, TSPoint point, uint32_t *n) {
	*n = byte < length ? length - byte : 0;
	return source + byte;
}

// Each walk stops at a node for which enter is false.
static int walk(int (*enter)(TSNode, int *)) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	int status = OK;
	for (;;) {
		int descend = 0;
		status = enter(ts_tree_cursor_current_node(&c), &descend);
		if (status != OK) break;
		if (descend && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c))
			if (!ts_tree_cursor_goto_parent(&c)) goto done;
	}
done:
	ts_tree_cursor_delete(&c);
	return status;
}

// edit says where the next text differs from the last one, which was read without an error.
EXPORT(edit) void edit(const TSInputEdit *edits, uint32_t n) {
	steps = INT64_MAX;
	for (; n > 0; n--) ts_tree_edit(tree, edits++);
}

// parse reads the text; after SYNTAX the answer is the range of the first error. If it is the last text after edits, again
// is not 0, and what is the same is not parsed again.
EXPORT(parse) int parse(const char *text, uint32_t n, int64_t budget, uint32_t records, int again) {
	steps = INT64_MAX;
	TSTree *old = tree;
	tree = 0;
	ts_parser_reset(parser);
	count = 0, most = records, steps = budget, source = text, length = n;
	wrong_start = wrong_end = 0;
	TSInput input = {0, next, TSInputEncodingUTF8, 0};
	tree = ts_parser_parse(parser, again ? old : 0, input);
	int64_t left = steps;
	steps = INT64_MAX;
	if (old) ts_tree_delete(old);
	steps = left;
	if (tree) return ts_node_has_error(ts_tree_root_node(tree)) ? FAILED : OK;
	uint32_t r[2] = {wrong_start, wrong_end};
	return put(2, r) ? SYNTAX : RECORDS;
}

// find runs the query; a record has 6 words: match, pattern, capture, node, start, end.
EXPORT(find) int find(void) {
	TSQueryMatch m;
	uint32_t number = 0;
	count = 0;
	ts_query_cursor_set_match_limit(cursor, 1 << 12);
	ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
	for (; ts_query_cursor_next_match(cursor, &m); number++)
		for (int i = 0; i < m.capture_count; i++) {
			TSNode n = m.captures[i].node;
			uint32_t r[6] = {number, m.pattern_index, m.captures[i].index, (uint32_t)n.id, ts_node_start_byte(n), ts_node_end_byte(n)};
			if (!put(6, r)) return RECORDS;
		}
	return ts_query_cursor_did_exceed_match_limit(cursor) ? RECORDS : OK;
}

static const uint32_t *cut, *cut_end;

// A record of a token has 2 words: start, end. Cuts are ordered ranges that are no tokens,
// or one token where the third word is set.
static int enter_token(TSNode n, int *descend) {
	uint32_t start = ts_node_start_byte(n), end = ts_node_end_byte(n);
	if (start == end) return OK;
	while (cut < cut_end && cut[1] <= start) cut += 3;
	if (cut < cut_end && cut[0] <= start && end <= cut[1]) {
		if (cut[2] && cut[0] == start) {
			uint32_t r[2] = {cut[0], cut[1]};
			return put(2, r) ? OK : RECORDS;
		}
		return OK;
	}
	if (ts_node_child_count(n)) {
		*descend = 1;
		return OK;
	}
	uint32_t r[2] = {start, end};
	return put(2, r) ? OK : RECORDS;
}

EXPORT(tokens) int tokens(const uint32_t *cuts, uint32_t n) {
	count = 0, cut = cuts, cut_end = cuts + 3 * n;
	return walk(enter_token);
}

// White space as in the C library, which looks for each character in a list.
int iswspace(unsigned c) {
	if (c < 0x85) return c == ' ' || c - '\t' < 5;
	return c == 0x85 || c - 0x2000 < 0xb && c != 0x2007 || c - 0x2028 < 2 || c == 0x205f || c == 0x3000;
}

// The core prints only for who looks for its errors.
int vsnprintf(char *to, size_t n, const char *format, va_list list) { return 0; }
int vfprintf(FILE *to, const char *format, va_list list) { return 0; }

// The system, by the names that wasi-libc gives its imports.
#define STUB(name, ...) int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__) { return 52; }
STUB(fd_close, int32_t a)
STUB(fd_fdstat_get, int32_t a, int32_t b)
STUB(fd_seek, int32_t a, int64_t b, int32_t c, int32_t d)
STUB(fd_write, int32_t a, int32_t b, int32_t c, int32_t d)
STUB(clock_time_get, int32_t a, int64_t b, int32_t c)
_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t a) { __builtin_trap(); }
