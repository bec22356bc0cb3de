package keys

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// parseGoMod reads a go.mod file as a mapping from directives to values; those that have a
// module, from its path: /go, /require/{path}, /replace/{path}. Indirect requirements
// are marked by comments, and read like the others.
func parseGoMod(s *source) ([]*node, error) {
	asWritten := func(_, version string) (string, error) { return version, nil }
	f, err := modfile.Parse("go.mod", []byte(s.text), asWritten)
	if err != nil {
		return nil, goModError(err)
	}
	g := goModReader{source: s, root: &node{Place: part.Place{Line: 1, Column: 1}, value: mapping}}
	if f.Module != nil {
		g.single("module", f.Module.Mod.Path, f.Module.Syntax)
	}
	if f.Go != nil {
		g.single("go", f.Go.Version, f.Go.Syntax)
	}
	if f.Toolchain != nil {
		g.single("toolchain", f.Toolchain.Name, f.Toolchain.Syntax)
	}
	for _, x := range f.Godebug {
		g.entry("godebug", x.Key, x.Value, x.Syntax)
	}
	for _, x := range f.Require {
		g.entry("require", x.Mod.Path, x.Mod.Version, x.Syntax)
	}
	for _, x := range f.Exclude {
		g.entry("exclude", x.Mod.Path, x.Mod.Version, x.Syntax)
	}
	for _, x := range f.Replace {
		g.entry("replace", x.Old.String(), x.New.String(), x.Syntax)
	}
	for _, x := range f.Retract {
		g.entry("retract", x.Low, x.High, x.Syntax)
	}
	for _, x := range f.Tool {
		g.entry("tool", x.Path, "", x.Syntax)
	}
	for _, x := range f.Ignore {
		g.entry("ignore", x.Path, "", x.Syntax)
	}
	return []*node{g.root}, g.err
}

// goModReader builds the tree of a file, up to the first error.
type goModReader struct {
	*source

	root *node
	err  error
}

func (g *goModReader) single(directive, value string, line *modfile.Line) {
	if g.err == nil {
		g.scalar(g.root, directive, value, line)
	}
}

// entry adds one of the entries of a directive. Those of one name are one value, in any order.
func (g *goModReader) entry(directive, name, value string, line *modfile.Line) {
	if g.err != nil {
		return
	}
	all := g.root.child(directive)
	if all == nil {
		if all, g.err = g.add(g.root, directive, mapping, placeIn(line.Start)); g.err != nil {
			return
		}
	}
	if same := all.child(name); same != nil {
		values := append(strings.Split(same.value, "\n"), value)
		slices.Sort(values)
		same.value = strings.Join(values, "\n")
		same.text = same.value
		return
	}
	g.scalar(all, name, value, line)
}

// scalar adds a value, which is written as it is.
func (g *goModReader) scalar(parent *node, name, value string, line *modfile.Line) {
	var n *node
	if n, g.err = g.add(parent, name, value, placeIn(line.Start)); g.err == nil {
		n.scalar, n.text = true, value
	}
}

func placeIn(p modfile.Position) part.Place {
	return part.Place{Line: max(p.Line, 1), Column: max(p.LineRune, 1)}
}

// goModError converts the first error of the parser.
func goModError(err error) error {
	e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as go.mod: " + err.Error()}
	if found, ok := errors.AsType[modfile.ErrorList](err); ok && len(found) > 0 {
		e.Place = placeIn(found[0].Pos)
		e.Message = "cannot be read as go.mod: " + found[0].Err.Error()
	}
	return e
}
