package workflow

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// The codes of problems and notes that only workflow files have.
const (
	codeUnknownPhase = "unknown_phase"
	codeUnknownGuide = "unknown_guide"
	codeUnknownVar   = "unknown_variable"
	codeUnknownField = "unknown_evidence"
	codeNoPhases     = "no_phases"
	codeStrictGate   = "strict_gate"
	codeBadCheck     = "bad_check"
	codeUnknownExit  = "unknown_exit_condition"
	codeTooWide      = "too_wide"
	codeDeprecated   = "deprecated"

	codeUnknownBehavior = "unknown_behavior"
)

// definitionKeys lists the keys of a workflow file.
func definitionKeys() []rule.Key {
	return []rule.Key{
		textKey("mode", "The mode of the logs that the workflow is about; by default the file's name without its extension."),
		textKey("start_node", "The phase to begin in; by default the first."),
		unreadKey("nodes", "a mapping from name to phase", "The phases. Only their transitions connect them."),
		{
			Param: policies.Param{Name: "allow", Type: policies.Strings, Optional: true, Distinct: true, OneOf: steps()},
			Doc:   "The steps besides next that a session may take: prev, back to the phase before, and restart.",
		},
		unreadKey("phases", "a list of phases", "The phases in order. A phase without transitions leads to the next one."),
		unreadKey("rule_definitions", "a mapping from id to rule", "Rules that check_rules may name: keys as in rule files, and the instructions in body."),
		unreadKey("imports", "the name of a file of rules, or a list of them", "Files in .rulecheck/workflows/rules, or packs, whose rules check_rules may name."),
		unreadKey("tool_rules", "a list of tool rules", "Rules about the tool calls of an agent, in every phase."),
		unreadKey("vars", "a mapping from variable to initial value", "The variables that observers set and conditions read."),
		unreadKey("observers", "a list of observers", "The observers, which set the variables on events of an agent."),
	}
}

// textKey returns the row of an optional key with a text value.
func textKey(name, doc string) rule.Key {
	return rule.Key{Param: policies.Param{Name: name, Type: policies.String, Optional: true}, Doc: doc}
}

// conditionKey returns the row of an optional key with a condition.
func conditionKey(name, doc string) rule.Key {
	k := textKey(name, doc)
	k.Check = rule.CheckCondition
	return k
}

// unreadKey returns the row of an optional key that the loader reads itself.
func unreadKey(name, want, doc string) rule.Key {
	return rule.Key{Param: policies.Param{Name: name, Optional: true}, Doc: doc, Unread: want}
}

// mandatory makes the key of a row required.
func mandatory(k rule.Key) rule.Key {
	k.Optional = false
	return k
}

// Load reads a workflow file with its guides and documents. Fsys is the repository
// or [Bundled]. It returns all problems in order of file and line; a workflow with
// problems must not run, although its valid parts are returned. The definition is
// nil if the file is not a YAML mapping. The notices of a workflow that loads
// report deprecated forms and gates without requirements.
func Load(fsys fs.FS, file string, r rule.Resolver) (*Definition, []finding.Problem, []string) {
	l := &loader{Log: &yaml.Log{File: file}, fsys: fsys, own: r.Bundle, agents: r.Agents}
	source, err := regular.ReadFS(fsys, file, regular.Text)
	if err != nil {
		l.Unreadable(err)
		return nil, l.List, nil
	}
	l.scope, l.List = r.Open(file, source)
	if l.scope != nil {
		l.read(l.scope.Root())
	}
	for i, p := range l.List {
		if p.File == file && slices.Contains([]string{yaml.CodeSyntax, yaml.CodeDuplicateKey, yaml.CodeNotAMapping}, p.Code) {
			l.List[i].Code = rule.CodeYAMLParse
		}
	}
	finding.SortProblems(l.List)
	if l.Definition == nil {
		return nil, l.List, nil
	}
	finding.SortProblems(l.notes)
	return l.Definition, l.List, l.notices()
}

// loader reads one workflow file.
type loader struct {
	*yaml.Log
	*Definition

	fsys     fs.FS
	own      *policies.Bundle // with the behaviors of the project; nil: only those of rulecheck
	agents   rule.Agents      // that rules may name; nil: any
	scope    *rule.Scope
	deferred []func() // checks that need the names of all phases
}

// notices returns the notes that are shown whenever the workflow is loaded.
func (l *loader) notices() []string {
	var notices []string
	for _, p := range l.notes {
		if p.Code == codeDeprecated || p.Code == gate.CodeOpenGate {
			notices = append(notices, p.Error())
		}
	}
	return notices
}

func (l *loader) read(root *yaml.Node) {
	v := rule.Table{Keys: definitionKeys()}.Decode(root, yaml.Top, l.Log)
	stem := path.Base(l.Log.File)
	l.Definition = &Definition{File: l.Log.File, Name: strings.TrimSuffix(stem, path.Ext(stem)), done: &Phase{Name: Done}}
	if mode := v.Text("mode"); mode != "" {
		l.Name = mode
		if !rule.IsID(mode) {
			l.Add(v["mode"].Node.At, rule.CodeBadID, `"mode" is %q; want a printable name without a slash`, mode)
		}
	}
	l.Allowed = v.Texts("allow")
	l.Rules = l.scope.Defined()
	l.Vars = l.vars(v["vars"])
	l.ToolRules = l.toolRules(v["tool_rules"], "tool_rules", "")
	l.Observers = l.observers(v["observers"])
	l.phases(v)
	for _, f := range l.deferred {
		f()
	}
	l.begin(v["start_node"], root.At)
}

// begin sets the first phase.
func (l *loader) begin(start rule.Value, at yaml.Place) {
	name, given := start.Data.(string)
	switch {
	case len(l.Phases) == 0:
		if len(l.List) == 0 {
			l.Add(at, codeNoPhases, `the workflow has no phases; want "nodes" or "phases" with at least one`)
		}
	case !given:
		l.Start = l.Phases[0].Name
	case !slices.Contains(l.Names(), name):
		l.Add(start.Node.At, codeUnknownPhase, `"start_node": unknown phase %q%s`, name, suggest.OneOf(name, l.Names()))
	default:
		l.Start = name
	}
}

// note adds a lint problem.
func (l *loader) note(at yaml.Place, code, message string) {
	l.notes = append(l.notes, finding.Problem{File: l.Log.File, Line: at.Line, Column: at.Column, Code: code, Message: message})
}

// list returns the items of a value that must be a list. An absent value and null
// are empty lists.
func (l *loader) list(v rule.Value, where, want string) []*yaml.Node {
	switch {
	case v.Node == nil || v.Node.Kind == yaml.Null || v.Node.Kind == yaml.Broken:
		return nil
	case v.Node.Kind != yaml.List:
		l.Add(v.Node.At, rule.CodeWrongType, "%s: is %s; want %s", where, v.Node.Describe(), want)
		return nil
	default:
		return v.Node.Items
	}
}

// entries returns the entries of a value that must be a mapping. An absent value
// and null are empty mappings.
func (l *loader) entries(v rule.Value, where, want string) []yaml.Entry {
	switch {
	case v.Node == nil || v.Node.Kind == yaml.Null || v.Node.Kind == yaml.Broken:
		return nil
	case v.Node.Kind != yaml.Mapping:
		l.Add(v.Node.At, rule.CodeWrongType, "%s: is %s; want %s", where, v.Node.Describe(), want)
		return nil
	default:
		return v.Node.Entries
	}
}

// condition returns the condition of a text value; nil for any other value.
func (l *loader) condition(v rule.Value) *rule.Condition {
	if _, ok := v.Data.(string); !ok {
		return nil
	}
	return l.scope.Condition(v.Node)
}

// identifier matches names of variables and claims.
var identifier = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
