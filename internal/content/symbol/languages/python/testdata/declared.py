"""Prints, for each file, what it declares and exports by Python's own parser: a JSON object a line."""
import ast, json, sys

TABLES = ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp

class Bodiless(ast.NodeTransformer):
    def visit_Lambda(self, n):
        return ast.Lambda(self.visit(n.args), ast.Constant(0))

def text(n):
    return n and ast.unparse(Bodiless().visit(n))

def is_public(name, prefix, listed):
    if listed is not None and not prefix:
        return name in listed
    return not name.startswith("_") or name.startswith("__") and name.endswith("__")

def signature(n):
    """The names of a statement, and what importers see of it."""
    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
        what = [type(n).__name__, text(n.args), text(n.returns), [text(p) for p in getattr(n, "type_params", [])]]
    elif isinstance(n, ast.ClassDef):
        what = ["class", [text(b) for b in n.bases + n.keywords], [text(p) for p in getattr(n, "type_params", [])]]
    elif isinstance(n, (ast.Assign, ast.AnnAssign)):
        target = n.target if isinstance(n, ast.AnnAssign) else n.targets[0]
        if isinstance(target, (ast.Tuple, ast.List)):
            return [e.id for e in target.elts if isinstance(e, ast.Name)], ["variable"]
        if not isinstance(target, ast.Name) or target.id == "__all__":
            return [], []
        value = n.value
        others = [text(t) for t in getattr(n, "targets", [])[1:]]
        return [target.id], ["variable", text(getattr(n, "annotation", None)), others, None if isinstance(value, TABLES) else text(value)]
    else:
        return [], []
    return [n.name], what + [[text(d) for d in n.decorator_list]]

def exports(body, prefix, listed, out):
    for n in body:
        if isinstance(n, (ast.Import, ast.ImportFrom)) and listed is not None and not prefix:
            for a in n.names:
                if (a.asname or a.name) in listed:
                    out.append(json.dumps([a.asname or a.name, "import", a.name, getattr(n, "module", None), getattr(n, "level", 0)]))
            continue
        names, what = signature(n)
        for name in names:
            if is_public(name, prefix, listed):
                out.append(json.dumps([prefix + name] + what))
                if isinstance(n, ast.ClassDef):
                    exports(n.body, prefix + name + ".", listed, out)
        if not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                exports(getattr(n, part, []) or [], prefix, listed, out)

def declared(body, prefix, exported, listed, out):
    for n in body:
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            public = is_public(n.name, prefix, listed)
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
    out, api = [], []
    try:
        tree = ast.parse(open(file, encoding="utf-8").read())
        listed = all_of(tree)
        declared(tree.body, "", True, listed, out)
        exports(tree.body, "", listed, api)
        out, api = sorted(out), sorted(set(api))
    except (SyntaxError, ValueError, RecursionError, OSError):
        out, api = None, None
    print(json.dumps({"file": file, "declared": out, "api": api}))
