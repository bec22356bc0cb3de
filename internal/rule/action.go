package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Action is what a firing rule asks for besides its body: a command.
type Action struct {
	Command string   // as written; a list is kept in Argv alone
	Argv    []string // split into words, placeholders untouched
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

// The placeholders of a command. What else is in braces is the command's own.
const (
	placeholderFile  = "{file}"
	placeholderFiles = "{files}"
	placeholderRoot  = "{repo_root}"
)

// action makes the action of decoded keys. It is nil where the rule has none,
// or a broken one.
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
		argv, f := words(line)
		if f != nil {
			l.Add(command.scalars[0].Point(f.Offset), f.Code, `"action.command" %s`, f.Message)
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

// placeholders refuses placeholders that would stand for nothing, or for more
// than their place can hold.
func (a *Action) placeholders(command Value, l *yaml.Log) {
	wrong, right := placeholderFiles, placeholderFile
	if a.RunFor == AllMatches {
		wrong, right = right, wrong
	}
	program := shellProgram(a.Argv)
	for i, word := range a.Argv {
		n := command.scalars[min(i, len(command.scalars)-1)]
		for _, filled := range []string{placeholderFile, placeholderFiles, placeholderRoot} {
			if i == program && strings.Contains(word, filled) {
				l.Add(n.Point(strings.Index(n.Text, filled)), codeBadPlaceholder,
					`"action.command" has %s in what a shell reads as its program, where a name could be a command; %s, and "$1" in the program`, filled, shellForm)
				return
			}
		}
		if strings.Contains(word, wrong) {
			l.Add(n.Point(strings.Index(n.Text, wrong)), codeBadPlaceholder, `"action.command" has %s, which run_for: %s does not fill; write %s`, wrong, a.RunFor, right)
			return
		}
		if right == placeholderFiles && strings.Contains(word, right) && word != right {
			l.Add(n.Point(strings.Index(n.Text, right)), codeBadPlaceholder,
				`"action.command" has %s inside %q; it stands for several words and must be one of its own`, right, word)
		}
	}
}

// shells are the programs that read a word of their arguments as a program.
var shells = []string{"sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"}

// shellProgram is the place of the word that a shell in argv reads as its program:
// the first after its options, one of which is -c; -1 where there is none.
func shellProgram(argv []string) int {
	start := slices.IndexFunc(argv, func(word string) bool { return slices.Contains(shells, path.Base(word)) })
	if start < 0 {
		return -1
	}
	reads := false
	for i := start + 1; i < len(argv); i++ {
		option := argv[i]
		if option == "" || option[0] != '-' && option[0] != '+' {
			if reads {
				return i
			}
			return -1
		}
		if strings.HasPrefix(option, "--") {
			continue
		}
		reads = reads || option[0] == '-' && strings.Contains(option, "c")
		if strings.HasSuffix(strings.ToLower(option), "o") {
			i++ // the option's name, as in -o pipefail
		}
	}
	return -1
}
