package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// tools reports rules that name tools which no installed agent has.
func (e *examination) tools(context.Context) error {
	for _, notice := range ToolNotices(e.Engine.Root(), e.Home, e.rules.Rules) {
		e.report("tools", Warn, notice, "see docs/tool-rules.md")
	}
	return nil
}

// ToolNotices names the rules that are about tools which no agent has whose settings, those of a
// repository or of a home directory, run rulecheck. Without such an agent there are none.
func ToolNotices(root, home string, rules []*rule.Rule) []string {
	agents := installed(root, home)
	var notices []string
	for _, r := range rules {
		of := slices.DeleteFunc(slices.Clone(agents), func(p profile.Profile) bool { return len(r.Agents) > 0 && !slices.Contains(r.Agents, p.Name) })
		if !r.Enabled || len(of) == 0 {
			continue
		}
		var known, names []string
		for _, p := range of {
			known, names = append(known, p.ToolNames()...), append(names, p.Name)
		}
		slices.Sort(names)
		for _, tool := range r.Texts(toolcall.Mode + ".tools") {
			if profile.IsKindName(tool) || strings.HasPrefix(tool, "mcp_") || strings.HasPrefix(tool, "MCP:") || slices.Contains(known, tool) {
				continue
			}
			notices = append(notices, fmt.Sprintf("%s:%d: no installed agent (%s) has a tool %q%s", finding.Printable(r.File), max(1, r.Line),
				strings.Join(names, ", "), tool, suggest.DidYouMean(tool, append(known, profile.KindNames()...))))
		}
	}
	return notices
}

// installed returns the agents whose settings run rulecheck.
func installed(root, home string) []profile.Profile {
	return slices.DeleteFunc(install.Agents(), func(p profile.Profile) bool {
		return !slices.ContainsFunc(settingsOf(p, root, home), func(file string) bool {
			text, err := regular.ReadFile(file)
			if err != nil {
				return false
			}
			registered, err := install.Registered(p, file, text)
			return err == nil && slices.ContainsFunc(registered, func(c install.Command) bool { return c.Own })
		})
	})
}

// settingsOf returns the settings that an agent reads in a repository, whether they exist or not.
func settingsOf(p profile.Profile, root, home string) []string {
	files := []string{filepath.Join(root, filepath.FromSlash(p.Settings.File))}
	if name := p.Settings.Local; name != "" {
		files = append(files, filepath.Join(root, filepath.FromSlash(name)))
	}
	if name := p.Settings.User; name != "" && home != "" {
		files = append(files, filepath.Join(home, filepath.FromSlash(name)))
	}
	return files
}

// reach reports which tool rules are about the tools of an agent.
func (p *prober) reach(of profile.Profile) {
	var reached, missed, unread []string
	read, known := p.read[of.Name]
	for _, r := range p.Rules {
		if !r.Enabled || r.Mode != toolcall.Mode || len(r.Agents) > 0 && !slices.Contains(r.Agents, of.Name) {
			continue
		}
		switch ok, err := toolcall.Reaches(r, of); {
		case err != nil:
			p.report(of.Name, Fail, "the tool rule "+r.ID+" cannot be used: "+finding.Visible(err.Error()), "rulecheck rules validate")
		case ok && known && !slices.Contains(read, r.ID):
			unread = append(unread, r.ID)
		case ok:
			reached = append(reached, r.ID)
		default:
			missed = append(missed, r.ID)
		}
	}
	if len(reached) > 0 && known {
		p.report(of.Name, OK, "the hook reads these tool rules, and they are about its tools: "+strings.Join(reached, ", "), "")
	}
	if len(unread) > 0 {
		p.report(of.Name, Fail, "the hook does not read these tool rules: "+strings.Join(unread, ", "), "rulecheck rules validate")
	}
	if len(missed) > 0 {
		p.report(of.Name, Warn, "tool rules about none of its tools: "+strings.Join(missed, ", "), "see docs/tool-rules.md")
	}
}
