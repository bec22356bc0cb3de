package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Action is the command that a rule runs when it fires.
type Action struct {
	Command string   // as written; a list is kept in Argv alone
	Argv    []string // split into words, with placeholders
	RunFor  string   // EachMatch or AllMatches
	Fix     bool     // whether --fix may write the result back
	Env     []string // names of further environment variables the command may see
	Timeout string   // Go duration; empty: the configuration's
}

// The values of action.run_for.
const (
	EachMatch  = "each_match"
	AllMatches = "all_matches"
)

// The placeholders of a command. Other braces are passed on unchanged.
const (
	placeholderFile  = "{file}"
	placeholderFiles = "{files}"
	placeholderRoot  = "{repo_root}"
)

// action returns the action of decoded keys, or nil if the rule has none or one
// with problems.
func action(values Values, l *yaml.Log) *Action {
	command := values["action.command"]
	if command.Data == nil {
		return nil
	}
	a := &Action{
		RunFor:  values.Text("action.run_for"),
		Fix:     values.True("action.fix"),
		Env:     values.Texts("action.env"),
		Timeout: values.Text("action.timeout"),
	}
	if line, ok := command.Data.(string); ok {
		a.Command = line
		argv, issue := words(line)
		if issue != nil {
			l.Add(command.scalars[0].Point(issue.Offset), issue.Code, `"action.command" %s`, issue.Message)
			return nil
		}
		a.Argv = argv
	} else if a.Argv = command.texts(); a.Argv[0] == "" {
		l.Add(command.scalars[0].At, CodeEmptyValue, `entry 1 of "action.command" is empty; want a program`)
		return nil
	}
	if a.RunFor != "" {
		a.placeholders(command, l)
	}
	return a
}

// placeholders reports placeholders that would not be filled, or that would be
// filled with several words inside one.
func (a *Action) placeholders(command Value, l *yaml.Log) {
	wrong, right := placeholderFiles, placeholderFile
	if a.RunFor == AllMatches {
		wrong, right = right, wrong
	}
	script := scriptIndex(a.Argv)
	for i, word := range a.Argv {
		n := command.scalars[min(i, len(command.scalars)-1)]
		for _, filled := range []string{placeholderFile, placeholderFiles, placeholderRoot} {
			if i == script && strings.Contains(word, filled) {
				l.Add(n.Point(strings.Index(n.Text, filled)), codeBadPlaceholder,
					`"action.command" has %s in the script of a shell, which could run part of a file name; %s, and use "$1" in the script`, filled, shellForm)
				return
			}
		}
		if strings.Contains(word, wrong) {
			l.Add(n.Point(strings.Index(n.Text, wrong)), codeBadPlaceholder, `"action.command" has %s, which run_for: %s does not fill; want %s`, wrong, a.RunFor, right)
			return
		}
		if right == placeholderFiles && strings.Contains(word, right) && word != right {
			l.Add(n.Point(strings.Index(n.Text, right)), codeBadPlaceholder,
				`"action.command" has %s inside %q, but it becomes several words; want it as a separate word`, right, word)
		}
	}
}

// shells are the programs that run one of their arguments as a script.
var shells = []string{"sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"}

// scriptIndex returns the index of the word that a shell in argv runs as a script:
// the first after its options if one of them is -c. It is -1 if there is none.
func scriptIndex(argv []string) int {
	start := slices.IndexFunc(argv, func(word string) bool { return slices.Contains(shells, path.Base(word)) })
	if start < 0 {
		return -1
	}
	runs := false // -c was given
	for i := start + 1; i < len(argv); i++ {
		option := argv[i]
		if option == "" || option[0] != '-' && option[0] != '+' {
			if runs {
				return i
			}
			return -1
		}
		if strings.HasPrefix(option, "--") {
			continue
		}
		runs = runs || option[0] == '-' && strings.Contains(option, "c")
		if strings.HasSuffix(strings.ToLower(option), "o") {
			i++ // skip its argument, as in -o pipefail
		}
	}
	return -1
}
