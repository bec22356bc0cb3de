"""Prints, for each file, what it declares for others by libclang (python3-clang): a JSON object a line."""
import json, os, re, sys
from clang.cindex import AccessSpecifier, Config, CursorKind as K, Index, LinkageKind, StorageClass, TranslationUnitLoadError

TYPES = {K.STRUCT_DECL: "struct", K.CLASS_DECL: "class", K.UNION_DECL: "union", K.ENUM_DECL: "enum", K.CLASS_TEMPLATE: "class",
         K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: "class"}
FUNCTIONS = K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE
NAMES = K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL, K.USING_DECLARATION, K.USING_DIRECTIVE, K.NAMESPACE_ALIAS

def words(c, until=()):
    """The tokens of a cursor up to one of some."""
    out = []
    for t in c.get_tokens():
        if t.spelling in until:
            break
        if t.kind.name != "COMMENT":
            out += [">", ">"] if t.spelling == ">>" else [t.spelling]
    return out

def spelling(type):
    """A type without the place of one that has no name."""
    return re.sub(r"\((unnamed|anonymous)[^)]*\)", "", type.spelling)

def after(list, sign):
    return list[list.index(sign):] if sign in list else []

def template(c):
    """The parameters of a template."""
    kinds = K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_NON_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER
    return [words(p) for p in c.get_children() if p.kind in kinds]

def walk(cursor, prefix, source, file, out):
    order = 0
    for c in cursor.get_children():
        if not c.location.file or c.location.file.name != file:
            continue
        kind, name = c.kind, ".".join(filter(None, [prefix, c.spelling]))
        if c.access_specifier == AccessSpecifier.PRIVATE and kind != K.FRIEND_DECL:
            continue
        if kind == K.MACRO_DEFINITION:
            if not source:
                tokens = [t.spelling for t in c.get_tokens()]
                if len(tokens) > 1 or not guard(c):
                    ends = [(t.extent.start.offset, t.extent.end.offset) for t in list(c.get_tokens())[:2]]
                    out.append(["macro", name, tokens, len(ends) > 1 and ends[0][1] == ends[1][0]])
        elif kind in (K.LINKAGE_SPEC, K.UNEXPOSED_DECL):
            walk(c, prefix, source, file, out)
        elif kind == K.NAMESPACE:
            if c.spelling:
                out.append(["namespace", name])
                walk(c, name, source, file, out)
        elif kind in TYPES:
            if source:
                continue
            if not c.is_definition():
                out.append(["declared", name])
                continue
            fields = [f.spelling for f in c.get_children() if f.kind == K.FIELD_DECL and f.access_specifier != AccessSpecifier.PRIVATE]
            bases = [words(b) for b in c.get_children() if b.kind == K.CXX_BASE_SPECIFIER]
            enum = spelling(c.enum_type) if kind == K.ENUM_DECL else ""
            if not c.is_anonymous():
                out.append([TYPES[kind], name, fields, bases, enum, template(c), words(c, "{")])
            walk(c, name if not c.is_anonymous() else prefix, source, file, out)
        elif kind == K.ENUM_CONSTANT_DECL:
            out.append(["enumerator", name, c.enum_value, words(c)])
        elif kind in FUNCTIONS:
            if source and (c.linkage == LinkageKind.INTERNAL or c.semantic_parent != c.lexical_parent and False):
                continue
            parameters = [(spelling(p.type), after(words(p), "=")) for p in c.get_arguments()]
            if kind == K.FUNCTION_TEMPLATE:
                parameters = [(spelling(p.type), after(words(p), "=")) for p in c.get_children() if p.kind == K.PARM_DECL]
            flags = [c.is_virtual_method(), c.is_pure_virtual_method(), c.is_static_method(), c.is_const_method(), c.is_default_method(), c.storage_class.name == "STATIC"]
            special = [w for w in words(c, "{;") if w in ("explicit", "noexcept", "override", "final", "delete", "constexpr", "inline")]
            out.append(["function", name, spelling(c.type), parameters, flags, special, template(c)])
        elif kind == K.VAR_DECL:
            if source and c.linkage == LinkageKind.INTERNAL:
                continue
            out.append(["variable", name, spelling(c.type), c.storage_class.name, [] if source else after(words(c), "=")])
        elif kind == K.FIELD_DECL:
            out.append(["field", name, spelling(c.type), after(words(c), "="), c.get_bitfield_width()])
        elif kind == K.TYPEDEF_DECL and not source:
            out.append(["typedef", name, spelling(c.underlying_typedef_type)])
        elif kind in NAMES and not source:
            out.append(["name", name, words(c)])
        elif kind == K.CONCEPT_DECL if hasattr(K, "CONCEPT_DECL") else False:
            out.append(["concept", name, words(c)])

def guard(c):
    """Whether a macro has no value and is the first of its file."""
    with open(c.location.file.name) as f:
        lines = [l.split() for l in f if l.strip().startswith("#")]
    return len(lines) > 1 and lines[0][:2] == ["#ifndef", c.spelling] and lines[1][:2] == ["#define", c.spelling]

Config.set_library_file(os.environ.get("LIBCLANG", "/usr/lib/llvm-14/lib/libclang.so.1"))
index = Index.create()
for file in sys.stdin.read().split("\n"):
    plus = not file.endswith((".c", ".h"))
    found = None
    for args in (["-x", "c++", "-std=c++20"],) if plus else (["-x", "c", "-std=gnu17"],):
        unit = index.parse(file, args=args, options=0x1 | 0x40)
        if all(d.severity < 3 for d in unit.diagnostics):
            found = []
            walk(unit.cursor, "", file.endswith((".c", ".cpp")), file, found)
            # A type that is only named counts where nothing defines it.
            defined = {f[1] for f in found if f[0] in TYPES.values()}
            found = [f for f in found if f[0] != "declared" or f[1] not in defined]
    api = sorted({json.dumps(f) for f in found}) if found is not None else None
    print(json.dumps({"File": file, "API": api}))
