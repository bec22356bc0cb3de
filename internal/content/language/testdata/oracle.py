"""Reads lines of JSON, [name, before, after], and writes one line for each: which of the sets of
parts in readers_test.go are all that differs, read with Python's own tokenize and ast."""

import ast
import io
import json
import re
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")
CODING = re.compile(r"coding[:=]\s*[-\w.]+")
DIRECTIVE = re.compile(r"\bLINT\.(IfChange|ThenChange|Label|EndLabel)\b")


def join_f_strings(tokens):
    """Since Python 3.12 an f-string is several tokens; join them to one."""
    depth, first = 0, None
    for t in tokens:
        name = tokenize.tok_name[t.type]
        if name in ("FSTRING_START", "TSTRING_START"):
            depth += 1
            first = first if depth > 1 else t
        if depth == 0:
            yield t
        if name in ("FSTRING_END", "TSTRING_END"):
            depth -= 1
            if depth == 0:
                yield t._replace(type=tokenize.STRING, start=first.start)


def read(text):
    """Return the tokens as (kind, text, start, end), and the places of imports and docstrings."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True) if "\f" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)
    imports, docstrings = [], []
    for node in ast.walk(tree):
        place = lambda n: (at(lines, n.lineno, n.col_offset), at(lines, n.end_lineno, n.end_col_offset))
        if isinstance(node, ast.Import) or isinstance(node, ast.ImportFrom) and (node.module != "__future__" or node.level):
            imports.append(place(node))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                docstrings.append(place(first))
    tokens = []
    for t in join_f_strings(tokenize.generate_tokens(io.StringIO(text, newline="").readline)):
        whole = t.string
        if t.type == tokenize.STRING:
            whole = between(lines, t.start, t.end)
        tokens.append((tokenize.tok_name[t.type], whole, t.start, t.end))
    return tokens, imports, docstrings, lines


def at(lines, number, offset):
    """Return a place with a column in characters; ast counts bytes."""
    return number, len(lines[number - 1].encode()[:offset].decode())


def between(lines, start, end):
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1]:end[1]]
    middle = lines[start[0]:end[0] - 1]
    return "".join([lines[start[0] - 1][start[1]:], *middle, lines[end[0] - 1][:end[1]]])


def obeyed(text, start):
    return start == (1, 0) and text.startswith("#!") or start[0] <= 2 and CODING.search(text) or DIRECTIVE.search(text)


def signature(source, without):
    tokens, imports, docstrings, lines = source
    left_out = (imports if "imports" in without else []) + (docstrings if "docstrings" in without else [])
    out, line, place = [], False, 0
    comments = []
    for kind, text, start, end in tokens:
        if kind == "COMMENT":
            if "comments" not in without or obeyed(text, start):
                comments.append((place, not lines[start[0] - 1][:start[1]].strip(), text.strip()))
        elif kind in ("NL", "ENDMARKER", "ENCODING"):
            pass
        elif kind == "NEWLINE":
            if line:
                out.append("NEWLINE")
            line = False
        elif kind in ("INDENT", "DEDENT"):
            out.append(kind)
        elif not any(a <= start and end <= b for a, b in left_out):
            out.append(text)
            line = True
            place += 1
    return out, comments


def stripped(source):
    tokens, _, _, lines = source
    lines = list(lines)
    for kind, text, start, end in reversed(tokens):
        if kind == "COMMENT" and not obeyed(text, start):
            line = lines[start[0] - 1]
            lines[start[0] - 1] = line[:start[1]] + line[end[1]:]
    return "".join(lines)


def changed(source):
    """Return the text with another character in a token that looks most like a comment."""
    tokens, imports, docstrings, lines = source
    lines = list(lines)
    code = [t for t in tokens if t[0] in ("STRING", "NAME", "NUMBER") and t[3][1] > 0
            and not any(a <= t[2] and t[3] <= b for a, b in imports + docstrings)]
    if not code:
        return ""
    _, _, _, (number, column) = next((t for t in code if "#" in t[1]), code[len(code) // 2])
    line = lines[number - 1]
    lines[number - 1] = line[:column - 1] + "x" + line[column - 1:]
    return "".join(lines)


for line in sys.stdin:
    _, before, after = json.loads(line)
    try:
        a, b = read(before), read(after)
        sets = [[], ["comments"], ["comments", "docstrings", "imports"]]
        same = [signature(a, w) == signature(b, w) for w in sets]
        print(json.dumps({"same": same, "stripped": stripped(b), "changed": changed(b)}), flush=True)
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError) as e:
        print(json.dumps({"error": str(e)}), flush=True)
