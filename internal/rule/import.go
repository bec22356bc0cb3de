package rule

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// importExtension is that of a file which can be imported.
const importExtension = ".yaml"

// imports reads the files that a workflow file imports, the last one first. Its
// own problems go to l, those of the files are given.
func (r Resolver) imports(root *node, l *log) ([]layer, []Problem) {
	var layers []layer
	var problems []Problem
	read := map[string]bool{}
	for _, n := range slices.Backward(textsOf(importsKey, root.find(importsKey.Name), l)) {
		if read[n.text] {
			continue // problems are told once
		}
		read[n.text] = true
		if !fs.ValidPath(n.text) || n.text == "." || strings.ContainsAny(n.text, `\`+"\x00") {
			l.add(n.at, codeBadValue, `import %q is no name; want that of a file of rules, without %s and ".."`, n.text, importExtension)
			continue
		}
		found := false
		for _, s := range r.Imports {
			var imported layer
			var wrong []Problem
			if imported, wrong, found = r.read(s, n.text); found {
				layers, problems = append(layers, imported), append(problems, wrong...)
				break
			}
		}
		if !found {
			l.add(n.at, codeUnknownImport, "import %q not found%s", n.text, r.whereImportsAre(n.text))
		}
	}
	return layers, problems
}

// read reads the file NAME.yaml of a source, which has rule_definitions and
// nothing else, or else its directory NAME, which has rule files. A file that
// is there and cannot be read is found.
func (r Resolver) read(s Source, name string) (layer, []Problem, bool) {
	l := &log{file: s.file(name + importExtension)}
	source, err := fs.ReadFile(s.FS, path.Join(s.Dir, name+importExtension))
	if errors.Is(err, fs.ErrNotExist) {
		dir := path.Join(s.Dir, name)
		if _, err := fs.Stat(s.FS, dir); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, false
		}
		loaded := LoadTiers([]Source{{Tier: s.Tier, FS: s.FS, Dir: dir, Shown: s.file(name)}}, r.Modes)
		return loaded.layer(), loaded.Problems, true
	}
	if err != nil {
		l.add(top, codeUnreadable, "want a file that can be read: %v", reason(err))
		return nil, l.list, true
	}
	root, text := readFile(source, l)
	if root == nil {
		return nil, l.list, true
	}
	n := root.find(definitionsKey)
	defined := definer{l, s.Tier, r.Modes, text}.all(n)
	if n == nil {
		l.add(root.at, codeMissingField, "key %q is missing; want a mapping from id to rule", definitionsKey)
	}
	for _, e := range root.entries {
		if e.name != definitionsKey {
			l.add(e.at, codeUnknownField, "unknown key %q%s", e.name, OneOf(e.name, []string{definitionsKey}))
		}
	}
	sortProblems(l.list)
	return defined, l.list, true
}

// whereImportsAre says where an import was looked for, and what there is.
func (r Resolver) whereImportsAre(name string) string {
	var places, known []string
	for _, s := range r.Imports {
		places = append(places, fmt.Sprintf("%s (%s)", s.Tier, s.file("")))
		entries, _ := fs.ReadDir(s.FS, s.Dir) // what cannot be listed has nothing to propose
		for _, e := range entries {
			if stem, ok := strings.CutSuffix(e.Name(), importExtension); ok || e.IsDir() {
				known = append(known, stem)
			}
		}
	}
	where := " in " + strings.Join(places, ", ")
	if len(known) == 0 {
		return where
	}
	slices.Sort(known)
	return where + OneOf(name, slices.Compact(known))
}
