package mcp

import (
	"bytes"
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/audit"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func checkTool(judge func(context.Context, check.Options) (*report.Report, error)) tool {
	return tool{
		name: "check", title: "Check a change",
		about: "Judge what changed in this repository against its rules: by default the working tree against the merge base with the default branch. " +
			"Answers the findings, each with what it expects. Nothing is written, and commands of rules do not run: rulecheck --fix on the command line runs them.",
		hints: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
		arguments: []argument{
			{name: "staged", kind: flag, about: "judge the index, which is what is about to be committed, instead of the working tree"},
			{name: "since", kind: text, about: "compare with the merge base of this ref and what is judged"},
			{name: "from", kind: text, about: "compare with this commit itself"},
			{name: "to", kind: text, about: "judge this commit instead of the working tree"},
			{name: "only", kind: texts, about: "judge only the rules with these ids"},
			{name: "skip", kind: texts, about: "leave out the rules with these ids"},
			{name: "sessions", kind: flag, about: "judge the logs of agents that the repository keeps, too: true (the default) or false"},
		},
		call: func(ctx context.Context, g given) (*answer, error) {
			o, err := optionsOf(g)
			if err != nil {
				return nil, err
			}
			r, err := judge(ctx, o)
			if err != nil {
				return nil, err
			}
			return reported(r)
		},
	}
}

// optionsOf are the options that a call asks for.
func optionsOf(g given) (check.Options, error) {
	for _, pair := range [][2]string{{"since", "from"}, {"staged", "to"}} {
		if g.flag(pair[0], g.text(pair[0]) != "") && g.text(pair[1]) != "" {
			return check.Options{}, invalid("%s and %s exclude each other; want one of them", pair[0], pair[1])
		}
	}
	return check.Options{
		Staged: g.flag("staged", false), Since: g.text("since"), From: g.text("from"), To: g.text("to"),
		Selection: setup.Selection{Only: g.texts("only"), Skip: g.texts("skip")},
		Logs:      audit.Logs{Off: !g.flag("sessions", true)},
	}, nil
}

// reported answers with a report. It is refused where not everything could be
// judged: a client that looks at nothing else must not take that for a pass.
func reported(r *report.Report) (*answer, error) {
	written := map[string]*bytes.Buffer{"json": {}, "markdown": {}}
	for name, to := range written {
		f, err := format.Lookup(name)
		if err != nil {
			return nil, err
		}
		if err := f.Write(to, r, format.Options{}); err != nil {
			return nil, err
		}
	}
	return &answer{
		data:    json.RawMessage(written["json"].Bytes()),
		text:    written["markdown"].String(),
		refused: r.Status(r.FailOn) > 1, // malformed rules, or not evaluated
	}, nil
}
