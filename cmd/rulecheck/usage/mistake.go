package usage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// flagNames are the names that other programs have for flags of rulecheck.
var flagNames = suggest.Synonyms{
	"base": "since", "branch": "since", "target": "since", "diff": "since", "against": "since",
	"commit": "to", "head": "to", "rev": "to", "ref": "to", "since": "after", "cached": "staged", "index": "staged",
	"rule": "only", "rules": "only", "select": "only", "ignore": "skip", "exclude": "skip", "disable": "skip",
	"output": "format", "reporter": "format",
	"json": "format json", "sarif": "format sarif", "html": "format html", "markdown": "format markdown", "junit": "format junit", "gitlab": "format gitlab",
	"severity": "fail-on", "fail-level": "fail-on", "max-warnings": "fail-on", "parallel": "jobs", "write": "fix", "apply": "write",
	"last": "number", "limit": "number", "count": "number", "max-count": "number", "commits": "number",
	"no-verify": "skip", "debug": "verbose", "silent": "quiet", "logs": "sessions",
}

// shortNames are the letters that other programs have for flags of rulecheck.
var shortNames = suggest.Synonyms{"b": "since", "f": "format", "o": "format", "r": "only", "j": "jobs", "s": "staged", "v": "verbose"}

// commandNames are the names that other programs have for commands of rulecheck.
var commandNames = suggest.Synonyms{
	"lint": "check", "run": "check", "scan": "check", "verify": "check", "diff": "check", "test": "rules test", "validate": "rules validate",
	"list": "rules list", "explain": "rules explain", "new": "init", "setup": "init", "fix": "check --fix", "format": "check --fix",
	"pre-commit": "install git", "sessions": "audit", "logs": "audit", "status": "doctor", "remove": "uninstall",
}

// subcommandNames are the names that other programs have for subcommands.
var subcommandNames = suggest.Synonyms{
	"lint": "validate", "check": "validate", "show": "list", "ls": "list", "why": "explain",
	"pre-commit": "git", "prek": "git", "husky": "git", "lefthook": "git", "hook": "git", "hooks": "git", "install": "add", "get": "add",
	"claude-code": "claude", "codex-cli": "codex", "gemini-cli": "gemini", "vscode": "copilot",
}

// noCommand has the next step for words that people take for commands, by the command before
// them.
var (
	ruleFile  = "a rule is a file, .rulecheck/rules/ID.md: write, edit or delete it"
	waive     = "to waive a finding, end the commit message with a paragraph \"Rulecheck-Waive: ID REASON\""
	action    = "CI runs rulecheck in a job; docs/integrations.md and docs/ci.md have one to copy"
	noCommand = map[string]map[string]string{
		"rulecheck": {"waive": waive, "waiver": waive, "waivers": waive, "ignore": waive, "suppress": waive, "skip": waive, "add": ruleFile, "create": ruleFile},
		"rules":     {"add": ruleFile, "create": ruleFile, "new": ruleFile, "edit": ruleFile, "delete": ruleFile, "remove": ruleFile, "disable": ruleFile},
		"install":   {"ci": action, "github": action, "github-actions": action, "gitlab": action},
		"packs":     {"remove": "delete its entry from \"extends\" in .rulecheck/config.yml", "delete": "delete its entry from \"extends\" in .rulecheck/config.yml"},
	}
)

// UnknownCommand returns the error for a word that is no subcommand.
func UnknownCommand(cmd *cobra.Command, word, orElse string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if word == "help" {
		return fmt.Errorf("unknown command %q; run: %s --help", word, cmd.CommandPath())
	}
	if done, ok := noCommand[cmd.Name()][strings.ToLower(word)]; ok {
		return fmt.Errorf("unknown command %q; %s", word, done)
	}
	meant := commandNames
	if cmd.HasParent() {
		meant = subcommandNames
	}
	return fmt.Errorf("unknown command %q%s%s", word, meant.OneOf(word, names), orElse)
}

// BadFlag explains an error of the flag parser.
func BadFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		word, letters := unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames()
		_, notNumber := strconv.ParseUint(letters, 10, 32)
		switch {
		case letters == "":
			if near := flagNames.Nearest(word, names); near != "" {
				err = fmt.Errorf("unknown flag: --%s; did you mean --%s?", word, near)
			} else if strings.Contains(cmd.Use, "RULE") && flagNames.Nearest(word, []string{"only"}) != "" {
				err = fmt.Errorf("unknown flag: --%s; want the ids of rules without it: %s ID", word, cmd.CommandPath())
			}
		case notNumber == nil && slices.Contains(names, "number"):
			err = fmt.Errorf("unknown flag: -%s; did you mean -n %s?", letters, letters)
		default:
			near, ok := shortNames[word]
			if ok && slices.Contains(names, near) {
				err = fmt.Errorf("unknown flag: -%s; did you mean --%s?", word, near)
			}
		}
	case errors.As(err, &invalid) && errors.Is(err, errNegative):
		err = fmt.Errorf("--%s is %q; want 0 or a larger number", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &invalid) && errors.As(err, &number):
		want := "a whole number"
		if number.Func == "ParseBool" {
			want = "true or false, or omit the value"
		}
		err = fmt.Errorf("--%s is %q; want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
	case errors.As(err, &invalid):
		err = badValue(invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	return seeHelp(cmd, err)
}

// badValue returns the error for a value that its flag does not take. Most flags name the value.
func badValue(flag, value string, err error) error {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "is "):
		return fmt.Errorf("--%s %w", flag, err)
	case strings.Contains(text, strconv.Quote(value)):
		return fmt.Errorf("--%s: %w", flag, err)
	default:
		return fmt.Errorf("--%s is %q; %w", flag, value, err)
	}
}

// group matches the error of cobra for flags that exclude each other.
var group = lazyregexp.New(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// extra matches the error of cobra for an argument of a command without arguments.
var extra = lazyregexp.New(`^unknown command (".*") for "`)

// required matches the error of cobra for flags that are missing.
var required = lazyregexp.New(`^required flag\(s\) "(.*)" not set$`)

// wrong matches the error of cobra for an argument that is not one of a list.
var wrong = lazyregexp.New(`^invalid argument (".*") for "`)

// counted matches the errors of cobra about the number of arguments.
var counted = lazyregexp.New(`^(?:accepts|requires) .*received (\d+)$`)

// withoutHint matches errors of cobra that do not name what is expected.
var withoutHint = lazyregexp.New(`^unknown command .* for `)

// Explain explains an error of cobra about flags or arguments. It returns any other error
// as it is.
func Explain(cmd *cobra.Command, err error) error {
	if m := group().FindStringSubmatch(err.Error()); m != nil {
		flags := strings.Fields(m[1])
		for i := range flags {
			flags[i] = "--" + flags[i]
		}
		return seeHelp(cmd, fmt.Errorf("%s exclude each other; use only one of them", strings.Join(flags, " and ")))
	}
	if m := extra().FindStringSubmatch(err.Error()); m != nil && !cmd.HasSubCommands() {
		return seeHelp(cmd, fmt.Errorf("%s is one argument too many; %s takes none", m[1], cmd.CommandPath()))
	}
	if m := required().FindStringSubmatch(err.Error()); m != nil {
		return seeHelp(cmd, fmt.Errorf("--%s is missing", strings.ReplaceAll(m[1], `", "`, ", --")))
	}
	if m := wrong().FindStringSubmatch(err.Error()); m != nil && len(cmd.ValidArgs) > 0 {
		return seeHelp(cmd, fmt.Errorf("unknown argument %s; want one of %s", m[1], suggest.Quoted(cmd.ValidArgs)))
	}
	if m := counted().FindStringSubmatch(err.Error()); m != nil {
		number := map[string]string{"0": "no argument given", "1": "1 argument given"}[m[1]]
		if number == "" {
			number = m[1] + " arguments given"
		}
		return seeHelp(cmd, fmt.Errorf("%s; want %s", number, strings.TrimSuffix(cmd.UseLine(), " [flags]")))
	}
	if !withoutHint().MatchString(err.Error()) {
		return err
	}
	return seeHelp(cmd, fmt.Errorf("%w; want %s", err, cmd.UseLine()))
}

func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// RefuseUnknownShells makes completion for a shell that does not exist an error.
func RefuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion := below(root, "completion")
	completion.Args = nil
	completion.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return UnknownCommand(cmd, args[0], "")
		}
		return cmd.Help()
	}
}

func below(cmd *cobra.Command, name string) *cobra.Command {
	i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
	return cmd.Commands()[i]
}

// RefuseUnknownTopics makes help of a command that does not exist an error.
func RefuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help := below(root, "help")
	help.Example = "  rulecheck help rules list"
	help.Args = func(_ *cobra.Command, args []string) error {
		cmd, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return UnknownCommand(cmd, strings.Join(rest, " "), "")
		}
		return nil
	}
}
