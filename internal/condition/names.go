package condition

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// some checks a declaration and binds its variables to elements.
func (l *linter) some(d *ast.SomeDecl, inside bool, s scope) {
	if !inside {
		l.say(l.at(d), `"some" outside braces; want { %s; … }, with what must be true of it`, d)
	}
	for _, symbol := range d.Symbols {
		call, ok := symbol.Value.(ast.Call)
		if !ok {
			l.bind(symbol, shape{}, s)
			continue
		}
		domain := call[len(call)-1]
		l.term(domain, s)
		l.guardDomain(&call[len(call)-1])
		l.bind(call[len(call)-2], s.of(domain).any(), s)
		if len(call) == 4 {
			l.bind(call[1], shape{}, s)
		}
	}
}

func (l *linter) every(e *ast.Every, s scope) {
	l.term(e.Domain, s)
	l.guardDomain(&e.Domain)
	s = maps.Clone(s)
	element := s.of(e.Domain).any()
	if e.Key != nil {
		l.bind(e.Key, shape{}, s)
	}
	l.bind(e.Value, element, s)
	l.look(e.Body, true, s)
}

// bind makes a variable known. One of a fact's name would hide the fact.
func (l *linter) bind(t *ast.Term, is shape, s scope) {
	v, ok := t.Value.(ast.Var)
	if !ok {
		return
	}
	if l.isFact(v) || v == "lib" {
		l.say(l.at(t), "the name %q is taken; want another for the variable", string(v))
		return
	}
	is.optional = false
	s[v] = is
	if l.bound == nil {
		l.bound = map[ast.Var]bool{}
	}
	l.bound[v] = true
}

// shadowed reports whether a variable has the name that a reference begins with.
func (l *linter) shadowed(ref *ast.Term, s scope) bool {
	name, _, _ := strings.Cut(ref.String(), ".")
	return s.has(ast.Var(name)) && !l.isFact(ast.Var(name))
}

// isFact reports whether a name is that of a fact.
func (l *linter) isFact(name ast.Value) bool {
	v, ok := name.(ast.Var)
	return ok && l.words.facts.has(v)
}

// reads checks the head of a variable or reference.
func (l *linter) reads(t *ast.Term, s scope) {
	ref, ok := t.Value.(ast.Ref)
	if !ok {
		ref = ast.Ref{t}
	}
	head, ok := ref[0].Value.(ast.Var)
	if !ok {
		return
	}
	if want := l.words.rewriteOf(ref.String()); want != "" && (!s.has(head) || l.isFact(head)) {
		l.varies = true
		l.say(l.at(t), "unknown name %q; want %s", ref.String(), want)
		return
	}
	switch name := string(head); {
	case name == "input":
		l.varies = true
		l.say(l.at(t), `conditions have no "input"; want %s`, cmp.Or(strings.TrimPrefix(ref.String(), "input"), ".a fact by its own name")[1:])
	case name == "data":
		l.varies = true
		if !ref.HasPrefix(libraryRef) {
			l.say(l.at(t), "%s is not for conditions; want nothing of data but %s", ref, libraryName)
			return
		}
		l.known(t, strings.TrimPrefix(written(ref), "data.rulecheck."))
	case name == "lib":
		l.varies = true
		l.known(t, written(ref))
	case l.words.change && hasFunctions(name) && !s.has(head):
		l.varies = true
		l.known(t, written(ref))
	case l.isFact(head):
		l.varies = true
		l.fields(t, ref, s)
	default:
		if s.has(head) {
			l.fields(t, ref, s)
		}
	}
}

// written returns a reference as people write it. OPA quotes fields that are keywords.
func written(ref ast.Ref) string {
	text := ref[0].String()
	for i, key := range ref[1:] {
		name, ok := key.Value.(ast.String)
		if !ok || !topName().MatchString(string(name)) {
			return text + strings.TrimPrefix(ref.String(), ref[:i+1].String())
		}
		text += "." + string(name)
	}
	return text
}

// known checks a name of the library or of the functions of changes; OPA takes an
// unknown one for an absent fact.
func (l *linter) known(t *ast.Term, name string) {
	exists := slices.ContainsFunc(l.words.library, func(one string) bool {
		return name == one || strings.HasPrefix(name, one+".") || strings.HasPrefix(name, one+"[")
	})
	if !exists {
		head, _, _ := strings.Cut(name, ".")
		like := slices.DeleteFunc(slices.Clone(l.words.library), func(one string) bool { return !strings.HasPrefix(one, head+".") })
		l.say(l.at(t), "%s", l.words.unknown(name, like))
	}
}

// fields reports the first part of a reference that does not exist.
func (l *linter) fields(t *ast.Term, ref ast.Ref, s scope) {
	is, _ := ref[0].Value.(ast.Var)
	around := s[is]
	for i, key := range ref[1:] {
		inside, ok := around.element(key.Value)
		of := ref[:i+1].String()
		if !ok && around.kind != anObject {
			l.say(l.at(t), "%s is %s, which has no field %s", of, withArticle(around.kind), key)
			return
		}
		if name, constant := key.Value.(ast.String); !ok && constant {
			offset := l.at(t)
			if offset >= 0 && strings.HasPrefix(l.Text[offset:], of+".") {
				offset += len(of) + 1
			}
			l.say(offset, "unknown field %q of %s%s", string(name), of,
				suggest.OneOf(string(name), slices.Sorted(maps.Keys(around.fields()))))
			return
		}
		around = inside
	}
}

func (s shape) fields() map[string]any {
	fields, _ := s.schema["properties"].(map[string]any)
	return fields
}
