package mcp

import (
	"bytes"
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func checkTool(run func(context.Context, check.Options) (*report.Report, error)) tool {
	return tool{
		name: "check", title: "Check a change",
		about: "Check the changes of this repository against its rules: by default the working tree against the merge base with the default branch. " +
			"Returns the findings, each with the expected change. It writes nothing and does not run the commands of rules; to run them, use rulecheck --fix on the command line.",
		hints: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
		arguments: []argument{
			{name: "staged", kind: flag, about: "check the index, the content of the next commit, instead of the working tree"},
			{name: "since", kind: text, about: "compare with the merge base of this ref and the checked state"},
			{name: "from", kind: text, about: "compare with this commit"},
			{name: "to", kind: text, about: "check this commit instead of the working tree"},
			{name: "only", kind: texts, about: "check only the rules with these ids"},
			{name: "skip", kind: texts, about: "skip the rules with these ids"},
			{name: "sessions", kind: flag, about: "also check the agent logs that the repository keeps: true (the default) or false"},
		},
		call: func(ctx context.Context, g given) (*answer, error) {
			o, err := optionsOf(g)
			if err != nil {
				return nil, err
			}
			r, err := run(ctx, o)
			if err != nil {
				return nil, err
			}
			return reportAnswer(r)
		},
	}
}

// optionsOf converts the arguments of a call to options.
func optionsOf(g given) (check.Options, error) {
	for _, pair := range [][2]string{{"since", "from"}, {"staged", "to"}} {
		if g.flag(pair[0], g.text(pair[0]) != "") && g.text(pair[1]) != "" {
			return check.Options{}, invalid("%s and %s exclude each other; want one of them", pair[0], pair[1])
		}
	}
	return check.Options{
		Staged: g.flag("staged", false), Since: g.text("since"), From: g.text("from"), To: g.text("to"),
		Selection:  setup.Selection{Only: g.texts("only"), Skip: g.texts("skip")},
		NoSessions: !g.flag("sessions", true),
	}, nil
}

// reportAnswer returns a report as an answer. An incomplete check is marked as
// refused, so that a client does not mistake it for a pass.
func reportAnswer(r *report.Report) (*answer, error) {
	written := map[string]*bytes.Buffer{"json": {}, "markdown": {}}
	of := map[string]*report.Report{"json": shorten(r), "markdown": r} // the format shortens markdown
	for name, to := range written {
		f, err := format.Lookup(name)
		if err != nil {
			return nil, err
		}
		if err := f.Write(to, of[name], format.Options{}); err != nil {
			return nil, err
		}
	}
	return &answer{
		data:    json.RawMessage(written["json"].Bytes()),
		text:    written["markdown"].String(),
		refused: r.Status(r.FailOn) > 1, // malformed rules, or not evaluated
	}, nil
}
