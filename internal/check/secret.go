package check

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// withoutSecrets returns outcomes as reports show them: a command prints what it is given, and
// its words are those of a file.
func withoutSecrets(outcomes []commands.Outcome, environ, pass []string, jobs []commands.Job) []commands.Outcome {
	given := map[string][]string{}
	for _, j := range jobs {
		given[j.Rule] = mask.Values(environ, slices.Concat(pass, j.Action.Env))
	}
	for i := range outcomes {
		o := &outcomes[i]
		known := given[o.Rule]
		text := func(s string) string { return mask.Known(s, known) }
		o.Argv = mask.Words(o.Argv)
		o.Failed, o.Difference = text(o.Failed), text(o.Difference)
		o.Stdout, o.Stderr = []byte(text(string(o.Stdout))), []byte(text(string(o.Stderr)))
	}
	return outcomes
}
