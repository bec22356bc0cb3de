package rule

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

const extension = ".md"

// Parse reads one rule file. file is its path relative to the repository, from
// whose stem the rule has its id; modes are those a rule may have, by name. The
// rule is nil if there is any problem.
func Parse(file string, source []byte, modes map[string]policies.Mode) (*Rule, []Problem) {
	l := &log{file: file}
	parsed := parse(file, source, modes, l)
	if len(l.list) > 0 {
		sortProblems(l.list)
		return nil, l.list
	}
	return parsed.rule, nil
}

// parsed is a rule with the places a later check may point at.
type parsed struct {
	rule *Rule
	name place // of its name, or of the file where it takes the file's
}

func parse(file string, source []byte, modes map[string]policies.Mode, l *log) parsed {
	text, ok := normalize(source, l)
	if !ok {
		return parsed{}
	}
	p, ok := split(text, l)
	if !ok {
		return parsed{}
	}
	root := readYAML(p.yaml, yamlLine, l)
	if root == nil {
		return parsed{}
	}
	f := &frontmatter{log: l, root: root, modes: modes, common: commonKeys()}
	f.read()
	body, examples := takeExamples(p.body, p.closing+1, l)
	if body == "" && !f.has("action") {
		l.add(place{p.closing, 1}, codeEmptyBody, `the body is empty; want instructions below the frontmatter, or an "action"`)
	}
	r := f.rule()
	r.ID = strings.TrimSuffix(path.Base(file), extension)
	r.File, r.Body, r.Examples = file, body, examples
	return f.complete(r, p.yaml, yamlLine, top)
}

// frontmatter is a rule file's YAML.
type frontmatter struct {
	*log
	root   *node
	modes  map[string]policies.Mode
	common []key         // of every mode
	mode   policies.Mode // zero while it is missing or ambiguous
	line   int           // of the mode's key
	values map[string]value
	action *Action
}

// read decides the mode, and decodes by its keys and those of every mode. With
// no mode or several the keys of all that may be meant are known, and none is
// demanded.
func (f *frontmatter) read() {
	var found []entry
	for _, e := range f.root.entries {
		if _, ok := f.modes[e.name]; ok {
			found = append(found, e)
		}
	}
	meant := found
	at := f.root.at
	switch len(found) {
	case 0:
		f.missingMode()
		for _, name := range f.modeNames() {
			meant = append(meant, entry{name: name})
		}
	case 1:
		f.mode, f.line, at = f.modes[found[0].name], found[0].at.line, found[0].at
	default:
		f.add(found[1].at, codeMultipleModes, "%q on line %d is a mode already, and %q is another; want one of %s",
			found[0].name, found[0].at.line, found[1].name, quoted(f.modeNames()))
	}
	var modes []policies.Mode
	for _, e := range meant {
		modes = append(modes, f.modes[e.name])
	}
	rows := modeKeys(f.common, modes, len(found) == 1)
	f.values = decode(f.root, rows, at, f.log)
	fill(f.values, rows)
	if len(found) == 1 {
		agree(f.mode, f.values, f.log)
	}
	f.action = action(f.values, f.log)
}

// missingMode reports that no key is a mode, unless one nearly is: then the
// unknown key says so.
func (f *frontmatter) missingMode() {
	for _, e := range f.root.entries {
		if _, near := nearest(e.name, f.modeNames()); near {
			return
		}
	}
	f.add(f.root.at, codeMissingMode, "no key says how the rule is judged; want one of %s", quoted(f.modeNames()))
}

func (f *frontmatter) modeNames() []string { return slices.Sorted(maps.Keys(f.modes)) }

// has reports whether a top key is there, with whatever value.
func (f *frontmatter) has(name string) bool {
	return slices.ContainsFunc(f.root.entries, func(e entry) bool { return e.name == name })
}

// rule is what the frontmatter alone says of the rule.
func (f *frontmatter) rule() *Rule {
	r := &Rule{
		Mode:      f.mode.Name,
		Level:     finding.Level(str(f.values, "level")),
		CompareTo: str(f.values, "compare_to"),
		Params:    map[string]any{},
		Patterns:  map[string][]*pattern.Pattern{},
		Action:    f.action,
		Enabled:   f.values["enabled"].data == true,
		Tags:      f.values["tags"].texts(),
		URL:       str(f.values, "url"),
		Line:      f.line,
	}
	for _, p := range f.mode.Params {
		if v, ok := f.values[p.Name]; ok {
			r.Params[p.Name] = v.data
		}
	}
	for name, v := range f.values {
		if len(v.patterns) > 0 {
			r.Patterns[name] = v.patterns
		}
	}
	return r
}

// complete gives a rule what takes its id, or its place in the YAML of which
// source is all and first its line in the file. Without a name of its own it has
// that of its id, at the given place.
func (f *frontmatter) complete(r *Rule, source string, first int, unnamed place) parsed {
	if v := f.values["when"]; len(v.scalars) == 1 {
		r.When = newCondition(r.File, v.scalars[0], source, first)
	}
	if v, ok := f.values["name"]; ok {
		r.Name = str(f.values, "name")
		return parsed{r, v.at}
	}
	r.Name = r.ID
	return parsed{r, unnamed}
}

// fill adds the defaults of what is not there.
func fill(values map[string]value, rows []key) {
	for _, k := range rows {
		if _, ok := values[k.Name]; !ok && k.Default != nil {
			values[k.Name] = value{data: k.Default}
		}
	}
}

// str is a value that is one text, or empty.
func str(values map[string]value, name string) string {
	s, _ := values[name].data.(string)
	return s
}
