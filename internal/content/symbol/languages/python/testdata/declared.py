"""Prints, for each file, what it declares by Python's own parser: a JSON object a line."""
import ast, json, sys

def declared(body, prefix, exported, listed, out):
    for n in body:
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            public = not n.name.startswith("_") or n.name.startswith("__") and n.name.endswith("__")
            if listed is not None and not prefix:
                public = n.name in listed
            name = prefix + n.name
            first = min([n.lineno] + [d.lineno for d in n.decorator_list])
            out.append([name, exported and public, first, n.end_lineno])
            if isinstance(n, ast.ClassDef):
                declared(n.body, name + ".", exported and public, listed, out)
        else:
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                declared(getattr(n, part, []) or [], prefix, exported, listed, out)

def all_of(tree):
    names, literal = None, True
    for n in ast.walk(tree):
        targets = n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, (ast.AugAssign, ast.AnnAssign)) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            v, ok = n.value, not isinstance(n, ast.AnnAssign)
            if ok and isinstance(v, (ast.List, ast.Tuple)) and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in v.elts):
                names = (names or []) + [e.value for e in v.elts]
            else:
                literal = False
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name) and n.func.value.id == "__all__":
            literal = False
    return names if literal else None

for file in sys.stdin.read().split("\n"):
    out = []
    try:
        text = open(file, encoding="utf-8").read()
        tree = ast.parse(text)
        declared(tree.body, "", True, all_of(tree), out)
        out = sorted(out)
    except (SyntaxError, ValueError, RecursionError, OSError):
        out = None
    print(json.dumps({"file": file, "declared": out}))
