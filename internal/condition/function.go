package condition

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/policies"
)

// function is a function that conditions about changes have. Its Rego is in library/, in the
// package conditions.functions, with "_" for the dot of its name.
type function struct {
	name    string
	takes   []argument // constant strings
	many    bool       // the last argument may be repeated; the Rego gets all of them as an array
	answers string     // a boolean or a number
	reads   string     // the fact that it is made from
	example string     // a call
	doc     string     // for people
}

// argument has the name of an argument in messages, and the function that reads one.
type argument struct {
	what string
	read func(l *linter, t *ast.Term, text string)
}

var (
	changedPath = argument{"path pattern", (*linter).changedPath}
	headPath    = argument{"path pattern", (*linter).headPath}
	sourcePath  = argument{"path pattern", (*linter).sourcePath}
	expression  = argument{"regular expression", (*linter).expression}
	commitType  = argument{"type of commits", (*linter).commitType}
	word        = argument{"text", (*linter).word}
)

// functions returns the table of functions.
func functions() []function {
	path, source, regex, types, words := []argument{changedPath}, []argument{sourcePath}, []argument{expression}, []argument{commitType}, []argument{word}
	return []function{
		{"change.any", path, false, aBoolean, nameChange, `change.any("src/**")`, "true if a changed name matches, including old names of renamed files and deleted files"},
		{"change.added", path, false, aBoolean, nameChange, `change.added("src/**")`, "true if a matching file was added"},
		{"change.deleted", path, false, aBoolean, nameChange, `change.deleted("src/**")`, "true if a matching file was deleted"},
		{"change.count", path, false, aNumber, nameChange, `change.count("src/**")`, "the number of changed files that match"},
		{"api.any", source, false, aBoolean, nameAPI, `api.any("src/**/*.go")`, "true if a symbol that a matching file [exports](contents.md#symbols-and-sections) was added, removed or changed"},
		{"api.added", source, false, aBoolean, nameAPI, `api.added("src/**/*.go")`, "true if an exported symbol was added to a matching file"},
		{"api.removed", source, false, aBoolean, nameAPI, `api.removed("src/**/*.go")`, "true if an exported symbol was removed from a matching file, or is no longer exported"},
		{"api.changed", source, false, aBoolean, nameAPI, `api.changed("src/**/*.go")`, "true if the kind or signature of an exported symbol of a matching file changed"},
		{"subject.any", regex, false, aBoolean, policies.FactCommits, `subject.any("\\[chore\\]")`, "true if the regular expression matches the subject of a commit"},
		{"subject.all", regex, false, aBoolean, policies.FactCommits, `subject.all("^docs:")`, "true if it matches the subject of each commit"},
		{"type.any", types, true, aBoolean, policies.FactCommits, `type.any("refactor", "chore")`, "true if a commit has one of the types of [Conventional Commits](https://www.conventionalcommits.org/): `refactor(api)!: …` has the type `refactor`, in any case"},
		{"type.all", types, true, aBoolean, policies.FactCommits, `type.all("refactor", "chore")`, "true if each commit has one of the types"},
		{"trailer.any", words, false, aBoolean, policies.FactCommits, `trailer.any("Reviewed-by")`, "true if a commit has a trailer with this key, in any case, and a value"},
		{"author.any", regex, false, aBoolean, policies.FactCommits, `author.any("\\[bot\\] <")`, "true if the regular expression matches the author of a commit, written `Name <email>`"},
		{"file.exists", []argument{headPath}, false, aBoolean, nameFile, `file.exists("go.mod")`, "true if a file at head matches, changed or not"},
		{"file.has", []argument{headPath, expression}, false, aBoolean, nameFile, `file.has("go.mod", "^toolchain ")`, "true if a file at head matches that has a line that the regular expression matches"},
		{"pr.label", words, false, aBoolean, policies.FactHead, `pr.label("needs-docs")`, "true if the pull request has the label"},
	}
}

// functionNamed returns the row of a function; ok is false for an unknown name.
func functionNamed(name string) (f function, ok bool) {
	if !strings.Contains(name, ".") { // of most operators
		return function{}, false
	}
	all := functions()
	i := slices.IndexFunc(all, func(f function) bool { return f.name == name })
	if i < 0 {
		return function{}, false
	}
	return all[i], true
}

// hasFunctions reports whether a name begins the names of functions.
func hasFunctions(name string) bool {
	return slices.ContainsFunc(functions(), func(f function) bool { return strings.HasPrefix(f.name, name+".") })
}

// functionNames lists the names of all functions.
func functionNames() []string {
	var names []string
	for _, f := range functions() {
		names = append(names, f.name)
	}
	return names
}

// Functions returns the functions of conditions about changes as rows of a table: a call, and
// what it is.
func Functions() [][2]string {
	var rows [][2]string
	for _, f := range functions() {
		rows = append(rows, [2]string{f.example, f.doc})
	}
	return rows
}

// called checks a call of f, and collects what must be established for it.
func (l *linter) called(f function, terms []*ast.Term) {
	l.varies, l.function = true, f.name
	if !l.words.change {
		l.say(l.at(terms[0]), "%s is about a change, and there is none here; want it in a rule about changes or sessions", f.name)
		return
	}
	l.names[f.reads] = true
	given := terms[1:]
	texts := make([]string, 0, len(given))
	for _, t := range given {
		if text, constant := t.Value.(ast.String); constant {
			texts = append(texts, string(text))
		}
	}
	fits := len(given) == len(f.takes) || f.many && len(given) > len(f.takes)
	if !fits || len(texts) < len(given) {
		l.say(l.at(terms[0]), "%s needs %s, such as %s", f.name, f.wants(), f.example)
		return
	}
	for i, t := range given {
		f.takes[min(i, len(f.takes)-1)].read(l, t, texts[i])
	}
	if f.reads == nameFile && len(l.problems) == 0 {
		ask := fileAsk{pattern: l.paths[len(l.paths)-1]}
		if len(texts) > 1 {
			ask.expression, ask.lines = texts[1], true
		}
		l.files = append(l.files, ask)
	}
}

// wants describes the arguments.
func (f function) wants() string {
	switch first := f.takes[0].what; {
	case f.many:
		return "one " + first + " or more as constant strings"
	case len(f.takes) > 1:
		return "a " + first + " and a " + f.takes[1].what + " as constant strings"
	default:
		return "one " + first + " as a constant string"
	}
}

// expression checks a regular expression.
func (l *linter) expression(t *ast.Term, text string) {
	if text == "" {
		l.say(l.at(t), "the regular expression is empty and matches everything; want what to look for")
		return
	}
	l.regex(t)
}

// typeWord matches a type of Conventional Commits.
var typeWord = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

// commitType checks a type of commits.
func (l *linter) commitType(t *ast.Term, text string) {
	if !typeWord().MatchString(text) {
		l.say(l.at(t), "%q is no type of commits; want the word before the colon alone, such as %q", text, "refactor")
	}
}

// word checks a text that is compared as it is.
func (l *linter) word(t *ast.Term, text string) {
	if strings.TrimSpace(text) == "" {
		l.say(l.at(t), "the text is empty; want what to look for")
	}
}

// link replaces the names of functions by those of their Rego, and arguments that may be
// several by an array.
func (c *condition) link() {
	linked := func(terms []*ast.Term) []*ast.Term {
		f, ok := functionNamed(terms[0].String())
		if !ok {
			return terms
		}
		ref := functionsPackage.Append(ast.StringTerm(strings.ReplaceAll(f.name, ".", "_")))
		operator := ast.NewTerm(ref).SetLocation(terms[0].Location)
		if f.many {
			return []*ast.Term{operator, ast.ArrayTerm(terms[1:]...).SetLocation(terms[0].Location)}
		}
		return append([]*ast.Term{operator}, terms[1:]...)
	}
	ast.WalkExprs(c.body, func(e *ast.Expr) bool {
		if terms, ok := e.Terms.([]*ast.Term); ok {
			e.Terms = linked(terms)
		}
		return false
	})
	ast.WalkTerms(c.body, func(t *ast.Term) bool {
		if call, ok := t.Value.(ast.Call); ok {
			t.Value = ast.Call(linked(call))
		}
		return false
	})
}
