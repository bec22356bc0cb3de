package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/policies"
)

func newRulesExplain(p *process) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "explain PATH",
		Short: "Explain which rules apply to a file, and why each fires or not",
		Example: `  rulecheck rules explain src/auth/login.py
  rulecheck rules explain src/auth/login.py --since main`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			repo, err := p.open(cmd.Context(), p.gitOptions(f))
			if err != nil {
				return err
			}
			path, err := inRepository(repo.Root(), args[0])
			if err != nil {
				return err
			}
			o, err := p.options(f)
			if err != nil {
				return err
			}
			status := terminal.NewStatus(p.stderr, p.getenv, false)
			o.Progress = status.Show
			answer, err := ruletest.Explain(cmd.Context(), repo, o, path)
			status.End()
			if err != nil {
				return classify(err)
			}
			_, err = os.Lstat(filepath.Join(repo.Root(), filepath.FromSlash(path)))
			absent := errors.Is(err, fs.ErrNotExist)
			if absent && slices.ContainsFunc(answer.Project.Rules, func(r *rule.Rule) bool { return r.ID == path }) {
				return fmt.Errorf("%q is a rule, and there is no file of that name; want the PATH of a file, and for this rule alone: rulecheck rules explain PATH --only %s", path, path)
			}
			p.printExplained(answer, absent)
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

// inRepository returns a path relative to the root, with slashes. The file itself
// need not exist.
func inRepository(root, arg string) (string, error) {
	full, err := filepath.Abs(arg)
	if err != nil {
		return "", err
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(dir, filepath.Base(full)) // like the root, without symlinks
	}
	path, err := filepath.Rel(root, full)
	if err != nil || path == "." || path == ".." || strings.HasPrefix(path, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%q is not a file in the repository %s", arg, root)
	}
	return filepath.ToSlash(path), nil
}

func (p *process) printExplained(answer *ruletest.Explained, absent bool) {
	for _, e := range answer.Rules {
		mark := "does not fire"
		if e.Fires {
			mark = "fires"
		}
		p.prose("%s (%s): %s\n", e.Rule.ID, e.Rule.Mode, mark)
		if e.Rule.Tier != rule.ProjectTier {
			p.prose("  %s: %s\n", e.Rule.Tier, e.Rule.File)
		}
		for _, b := range e.Binds {
			p.prose("  %s: %s%s\n", b.Param, b.Pattern, captured(b))
			if len(b.Changed) > 0 {
				p.prose("    changed: %s\n", changedParts(b.Changed))
			}
		}
		for _, limit := range limitsOf(e.Rule, answer.Project.Modes.Of(e.Rule.Mode)) {
			p.prose("  %s\n", limit)
		}
		if len(e.Rule.Ignore) > 0 {
			p.prose("  ignore: %s\n", language.Explain(answer.Path, e.Rule.Ignore))
		}
		p.prose("  %s\n", e.Why)
	}
	if len(answer.Rules) == 0 {
		p.prose("no rule applies to %s%s\n", answer.Path, map[bool]string{true: ", and there is no such file here"}[absent])
	}
	for _, name := range answer.Modes() {
		p.prose("about the mode %s: rulecheck rules modes %s\n", name, name)
	}
	p.prose("%d of %d rules have a pattern that matches %s\n", len(answer.Rules), len(answer.Rules)+answer.Others, answer.Path)
	p.status = max(p.status, report.StatusOf(answer.Problems))
	for _, problem := range answer.Problems {
		p.warn("%s\n", problem.Error())
	}
}

// limitsOf returns the keys that limit which changes of a file trigger a rule.
func limitsOf(r *rule.Rule, mode policies.Mode) []string {
	var limits []string
	for _, limit := range policies.Limits() {
		for _, param := range mode.Params {
			if values := r.Texts(param.Name); param.Limits == limit && len(values) > 0 {
				limits = append(limits, param.Name+": "+strings.Join(values, ", "))
			}
		}
	}
	return limits
}

// manyParts limits the parts of a file that are listed.
const manyParts = 20

// changedParts lists what changed in a file, with lines and statuses.
func changedParts(list []part.Change) string {
	var texts []string
	for _, c := range list[:min(len(list), manyParts)] {
		texts = append(texts, fmt.Sprintf("%s (%s, line %d)", finding.Printable(c.Name), c.Status, c.Line))
	}
	if more := len(list) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

func captured(b ruletest.Binding) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(b.Captures)) {
		words = append(words, name+"="+b.Captures[name])
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
