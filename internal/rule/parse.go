package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

const extension = ".md"

// Parse parses one rule file. file is its path relative to the repository, whose
// stem is the rule's id; modes are the known modes by name. The rule is nil if
// there is any problem.
func Parse(file string, source []byte, modes policies.Modes) (*Rule, []finding.Problem) {
	l := &yaml.Log{File: file}
	parsed := parse(strings.TrimSuffix(path.Base(file), extension), source, newTables(modes, commonKeys()), l)
	if len(l.List) > 0 {
		finding.SortProblems(l.List)
		return nil, l.List
	}
	return parsed.rule, nil
}

// parsed is a rule with the places that later checks report.
type parsed struct {
	rule *Rule
	name yaml.Place // of its name; of the file if it has none
	text string     // of the file without its level, if an organization's pack is used
}

func parse(id string, source []byte, t *tables, l *yaml.Log) parsed {
	text, ok := yaml.Normalize(source, l)
	if !ok {
		return parsed{}
	}
	p, ok := split(text, l)
	if !ok {
		return parsed{}
	}
	root := yaml.Read(p.yaml, yamlLine, l)
	if root == nil {
		return parsed{}
	}
	f := &frontmatter{Log: l, tables: t, root: root}
	f.read()
	body, examples := example.Extract(p.body, p.closing+1, l)
	if body == "" && !f.has("action") {
		l.Add(yaml.Place{Line: p.closing, Column: 1}, codeEmptyBody, "the body is empty; want instructions below the frontmatter%s", f.orAction())
	}
	r := f.rule()
	r.ID, r.File, r.Body, r.Examples = id, l.File, body, examples
	f.checkExamples(examples)
	f.checkBody(p.body, r, func(offset int) yaml.Place {
		begin := strings.LastIndexByte(p.body[:offset], '\n') + 1
		return yaml.Place{Line: p.closing + 1 + strings.Count(p.body[:offset], "\n"), Column: offset - begin + 1}
	})
	return f.complete(r, p.yaml, yamlLine, yaml.Top)
}

// checkExamples reports examples of changes in a rule about tool calls, and of calls in
// any other.
func (f *frontmatter) checkExamples(examples []example.Example) {
	for _, x := range examples {
		at := yaml.Place{Line: x.Line, Column: 1}
		switch calls := len(x.Calls) > 0; {
		case f.mode.Name == "" || calls == f.mode.Tool():
		case calls:
			f.Add(at, example.Code, "the example has tool calls, but the mode %q checks none; want files", f.mode.Name)
		default:
			f.Add(at, example.Code, `the mode %q checks tool calls; want "$" and a shell line, or ">", a tool and a file`, f.mode.Name)
		}
	}
}

// checkBody reports misspelt placeholders. Only the bodies of rules about changes have some.
func (f *frontmatter) checkBody(body string, r *Rule, at func(offset int) yaml.Place) {
	if f.mode.Name != "" && f.mode.Change() {
		checkPlaceholders(body, r.Patterns, at, f.Log)
	}
}

// orAction returns the end of a message about missing instructions: rules of
// sessions cannot have an action instead.
func (f *frontmatter) orAction() string {
	if f.mode.Name != "" && !f.mode.Change() {
		return ""
	}
	return `, or an "action"`
}

// frontmatter is a rule file's YAML.
type frontmatter struct {
	*yaml.Log
	*tables

	root   *yaml.Node
	mode   policies.Mode // zero while it is missing or ambiguous
	line   int           // of the mode's key
	values Values
	action *Action
}

// read finds the mode and decodes its keys and the common ones. With no mode or
// several, the keys of all possible modes are accepted and none is required.
func (f *frontmatter) read() {
	var found []yaml.Entry
	for _, e := range f.root.Entries {
		if f.modes.Has(e.Name) {
			found = append(found, e)
		}
	}
	at := f.root.At
	var rows []Key
	switch len(found) {
	case 0:
		f.missingMode()
		rows = f.ofAny(f.modeNames())
	case 1:
		f.mode, f.line, at = f.modes.Of(found[0].Name), found[0].At.Line, found[0].At
		rows = f.of(f.mode.Name)
	default:
		f.Add(found[1].At, codeMultipleModes, "two modes: %q on line %d and %q; want one of %s",
			found[0].Name, found[0].At.Line, found[1].Name, suggest.Quoted(f.modeNames()))
		var names []string
		for _, e := range found {
			names = append(names, e.Name)
		}
		rows = f.ofAny(names)
	}
	f.values = Table{Keys: rows, Modes: f.modes}.Decode(f.root, at, f.Log)
	if len(found) == 1 {
		checkCaptures(f.mode, f.values, f.Log)
		checkParts(f.mode, f.values, f.Log)
		checkSilent(f.mode, f.values, f.Log)
	}
	f.action = action(f.values, f.Log)
}

// missingMode reports that no key is a mode, unless one is nearly the same as a
// mode: then the message about the unknown key suggests it.
func (f *frontmatter) missingMode() {
	for _, e := range f.root.Entries {
		if suggest.Nearest(e.Name, f.modeNames()) != "" || rewriteOf(e.Name) != "" {
			return
		}
	}
	f.Add(f.root.At, codeMissingMode, "the rule has no mode; want one of the keys %s", suggest.Quoted(f.modeNames()))
}

func (f *frontmatter) modeNames() []string { return f.modes.Names() }

// has reports whether a key is present, with any value.
func (f *frontmatter) has(name string) bool {
	return slices.ContainsFunc(f.root.Entries, func(e yaml.Entry) bool { return e.Name == name })
}

// rule returns the rule as far as the frontmatter alone defines it.
func (f *frontmatter) rule() *Rule {
	r := &Rule{
		Info: Info{
			Mode:   f.mode.Name,
			Level:  finding.Level(f.values.Text("level")),
			Params: map[string]any{},
			Tags:   f.values.Texts("tags"),
			URL:    f.values.Text("url"),
		},
		CompareTo: f.values.Text("compare_to"),
		Patterns:  map[string][]*pattern.Pattern{},
		PatternAt: map[string][]yaml.Place{},
		Action:    f.action,
		Enabled:   f.values.True("enabled"),
		Phases:    f.values.Texts("phase"),
		PhasesAt:  f.values["phase"].At,
		Agents:    f.values.Texts("agent"),
		Branches:  f.values.Texts("branch"),
		Models:    f.values.Texts("model"),
		Ignore:    f.values.Texts(Ignore),
		AgentsAt:  f.values["agent"].places(),
		Line:      f.line,
	}
	lines := Lines{}
	for _, p := range f.mode.Params {
		v, ok := f.values[p.Name]
		if !ok {
			continue
		}
		r.Params[p.Name] = v.Data
		if check := p.CheckOf(v.Data); check != "" {
			r.Checks = append(r.Checks, check)
		}
		switch p.Limits {
		case policies.LimitStatus:
			r.Statuses = v.texts()
		case policies.LimitAdded:
			lines.Added = v.texts()
		case policies.LimitRemoved:
			lines.Removed = v.texts()
		case policies.LimitChanged:
			lines.Changed = v.texts()
		case policies.LimitMoved:
			lines.Moved = f.values.True(p.Name)
		}
	}
	if len(lines.Added)+len(lines.Removed)+len(lines.Changed) > 0 {
		r.Lines = &lines
	}
	for name, v := range f.values {
		if len(v.patterns) > 0 {
			r.Patterns[name], r.PatternAt[name] = outsideOwn(name, v.patterns), v.places()
		}
	}
	r.Undoes = r.undoes(f.mode)
	return r
}

// complete sets the rule's conditions and its name, which defaults to the id.
// source is the YAML of the file, which begins on line first; unnamed is the place
// to report for a rule without a name.
func (f *frontmatter) complete(r *Rule, source string, first int, unnamed yaml.Place) parsed {
	if v := f.values["when"]; len(v.scalars) == 1 {
		r.When = newCondition(r.File, v.scalars[0], source, first)
	}
	if v := f.values["unless"]; len(v.scalars) == 1 {
		r.Unless = newCondition(r.File, v.scalars[0], source, first)
		r.Unless.Unless = true
	}
	if f.mode.Tool() && len(f.List) == 0 {
		if problem := CheckToolRule(r); problem != "" {
			f.Add(yaml.Place{Line: max(f.line, 1), Column: 1}, codeToolRule, "%s", problem)
		}
	}
	if v, ok := f.values["name"]; ok {
		r.Name = f.values.Text("name")
		return parsed{rule: r, name: v.At}
	}
	r.Name = r.ID
	return parsed{rule: r, name: unnamed}
}
