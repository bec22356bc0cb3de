package rule

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// importExtension is the extension of files that can be imported.
const importExtension = ".yaml"

// imports reads the files that a workflow file imports, last one first. Problems
// of the workflow file go to l; those of the files are returned.
func (r Resolver) imports(root *yaml.Node, l *yaml.Log) ([]layer, []finding.Problem) {
	var layers []layer
	var problems []finding.Problem
	read := map[string]bool{}
	for _, n := range slices.Backward(textsOf(importsKey, root.Find(importsKey.Name), l)) {
		if read[n.Text] {
			continue // report its problems once
		}
		read[n.Text] = true
		if !fs.ValidPath(n.Text) || n.Text == "." || strings.ContainsAny(n.Text, `\`+"\x00") {
			l.Add(n.At, CodeBadValue, `bad import %q; want the name of a file of rules without %s and ".."`, n.Text, importExtension)
			continue
		}
		found := false
		for _, s := range r.Imports {
			var imported layer
			var wrong []finding.Problem
			imported, wrong, found = r.read(s, n.Text)
			if found && s.Tier == UserTier && r.guards(n.Text) {
				l.Add(n.At, codeReplacesGuard, "import %q is that of a pack with rules about tool calls, and %s cannot replace it; want another name for the user's rules", n.Text, s.file(n.Text))
				continue
			}
			if found {
				layers, problems = append(layers, imported), append(problems, wrong...)
				break
			}
		}
		if !found {
			l.Add(n.At, codeUnknownImport, "import %q not found%s", n.Text, r.importAdvice(n.Text))
		}
	}
	return layers, problems
}

// guards reports whether a pack has rules about tool calls.
func (r Resolver) guards(name string) bool {
	d := packs()
	d.Dir = path.Join(d.Dir, name)
	return len(guards([]source{(&tiers{tables: newTables(r.Modes, commonKeys())}).open(d)}, r.Modes)) > 0
}

// read reads the file NAME.yaml of a source, which has only rule_definitions, or
// its directory NAME of rule files. It reports whether the source has either, also
// if it cannot be read.
func (r Resolver) read(s Directory, name string) (layer, []finding.Problem, bool) {
	l := &yaml.Log{File: s.file(name + importExtension)}
	source, err := regular.ReadFS(s.FS, path.Join(s.Dir, name+importExtension), regular.Text)
	if errors.Is(err, fs.ErrNotExist) {
		dir := path.Join(s.Dir, name)
		if _, err := fs.Stat(s.FS, dir); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, false
		}
		loaded := LoadTiers([]Directory{{Tier: s.Tier, FS: s.FS, Dir: dir, Shown: s.file(name)}}, r.Modes)
		return loaded.layer(), loaded.Problems, true
	}
	if err != nil {
		l.Unreadable(err)
		return nil, l.List, true
	}
	root, text := readFile(source, l)
	if root == nil {
		return nil, l.List, true
	}
	n := root.Find(definitionsKey)
	if n == nil && (root.Find("nodes") != nil || root.Find("phases") != nil) {
		l.Add(root.At, CodeLookAlike, "is a workflow in a directory of rules; want workflows in %s", WorkflowsDir)
		return nil, l.List, true
	}
	defined := definer{l, s.Tier, newTables(r.Modes, definitionKeys()), text}.all(n)
	if n == nil {
		l.Add(root.At, CodeMissingField, "key %q is missing; want a mapping from id to rule", definitionsKey)
	}
	for _, e := range root.Entries {
		if e.Name != definitionsKey {
			l.Add(e.At, CodeUnknownField, "unknown key %q%s", e.Name, suggest.OneOf(e.Name, []string{definitionsKey}))
		}
	}
	finding.SortProblems(l.List)
	return defined, l.List, true
}

// Importable reads everything that the project's workflow files can import, whether one of them
// does or not: a file that nothing reads could hide its problems.
func (r Resolver) Importable() (rules []*Rule, problems []finding.Problem) {
	for _, s := range r.Imports {
		if s.Tier != ProjectTier {
			continue
		}
		for _, name := range s.importable() {
			defined, wrong, _ := r.read(s, name)
			problems = append(problems, wrong...)
			for _, id := range slices.Sorted(maps.Keys(defined)) {
				if defined[id] != nil {
					rules = append(rules, defined[id])
				}
			}
		}
	}
	return rules, problems
}

// importable returns the names that imports may have in a directory.
func (d Directory) importable() (names []string) {
	_ = fs.WalkDir(d.FS, d.Dir, func(file string, e fs.DirEntry, err error) error {
		name := strings.TrimPrefix(strings.TrimPrefix(file, d.Dir), "/")
		switch {
		case err != nil || file == d.Dir: // an import from a directory that cannot be listed reports it
		case e.IsDir():
			if files, err := fs.ReadDir(d.FS, file); err == nil && slices.ContainsFunc(files, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == extension }) {
				names = append(names, name)
			}
		case path.Ext(file) == importExtension:
			names = append(names, strings.TrimSuffix(name, importExtension))
		}
		return nil //nolint:nilerr // see above
	})
	return slices.Compact(names)
}

// importAdvice returns the end of a message about an unknown import: the searched
// directories and the names in them.
func (r Resolver) importAdvice(name string) string {
	var places, known []string
	for _, s := range r.Imports {
		places = append(places, fmt.Sprintf("%s (%s)", s.Tier, s.file("")))
		entries, _ := fs.ReadDir(s.FS, s.Dir) // a directory that cannot be listed adds no names
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
	return where + suggest.OneOf(name, slices.Compact(known))
}
