package written

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

var (
	makeCall   = lazyregexp.New(`\bg?make((?:\s+(?:-[A-Za-z]\s+\S+|[A-Za-z0-9_./=-]+))+)`)
	scriptName = lazyregexp.New(`\.(sh|bash|py|js|mjs|cjs|ts|rb|pl|mk)$|^(scripts?|hack|bin|tools|build)/`)
)

func isMakefile(name string) bool {
	return slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, path.Base(name)) || path.Ext(name) == ".mk"
}

// commands returns, for each command of a text that runs a makefile target or a script of the
// repository, what that names.
func (r *reader) commands(text string) [][]mention {
	var list [][]mention
	for _, m := range makeCall().FindAllStringSubmatch(text, 20) {
		for target := range strings.FieldsSeq(m[1]) {
			if named := r.target(target, 0); len(named) > 0 {
				list = append(list, named)
			}
		}
	}
	for _, m := range r.mentions("", text) {
		if m.file && scriptName().MatchString(m.glob) {
			if named := r.script(m.glob, 0); len(named) > 0 {
				list = append(list, named)
			}
		}
	}
	return list
}

// deepest is how many programs run each other.
const deepest = 3

// target returns what a target of the Makefile names, with its prerequisites and scripts.
func (r *reader) target(name string, depth int) []mention {
	if r.rules == nil {
		r.rules = map[string][]string{}
		text, err := regular.ReadFS(r.root, "Makefile", regular.Text)
		for _, b := range makefile(string(text)) {
			if head, _, ok := strings.Cut(b.text, ":"); err == nil && ok && !strings.HasPrefix(head, "\t") && !strings.HasPrefix(head, ".PHONY") {
				for target := range strings.FieldsSeq(head) {
					r.rules[target] = append(r.rules[target], b.text)
				}
			}
		}
	}
	lines, ok := r.rules[name]
	if !ok || depth > deepest {
		return nil
	}
	return r.program("make "+name, "Makefile", strings.Join(lines, "\n"), depth)
}

// script returns what a script names.
func (r *reader) script(name string, depth int) []mention {
	if depth > deepest || !r.is[name] {
		return nil
	}
	if known, ok := r.programs[name]; ok {
		return known
	}
	text, err := regular.ReadFS(r.root, name, regular.Text)
	if err != nil {
		return nil
	}
	return r.program(name, name, string(text), depth)
}

// program returns what the text of a program names, and what the programs name that it runs.
func (r *reader) program(key, file, text string, depth int) []mention {
	if known, ok := r.programs[key]; ok {
		return known
	}
	if len(r.programs) >= mostPrograms {
		return nil
	}
	r.programs[key] = nil // not again while it is read
	all := r.mentions(file, text)
	var named []mention
	add := func(list []mention) {
		for _, m := range list {
			if !slices.ContainsFunc(named, func(n mention) bool { return n.glob == m.glob }) {
				named = append(named, m)
			}
		}
	}
	for _, m := range all {
		if m.file && scriptName().MatchString(m.glob) && m.glob != file {
			add(r.script(m.glob, depth+1))
			continue
		}
		add([]mention{m})
	}
	if isMakefile(file) {
		head, _, _ := strings.Cut(text, "\n")
		_, prerequisites, _ := strings.Cut(head, ":")
		for target := range strings.FieldsSeq(prerequisites) {
			add(r.target(target, depth+1))
		}
		for _, m := range makeCall().FindAllStringSubmatch(text, 20) {
			for target := range strings.FieldsSeq(m[1]) {
				add(r.target(target, depth+1))
			}
		}
	}
	named = named[:min(len(named), mostInSection)]
	r.programs[key] = named
	return named
}
