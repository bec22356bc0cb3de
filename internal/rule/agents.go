package rule

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// The directories of workflow files, and of texts that their prompts share.
const (
	WorkflowsDir = ".rulecheck/workflows"
	// ImportsDir holds the rules that workflow files import by name.
	ImportsDir = ".rulecheck/workflows/rules"
	GuidesDir  = ".rulecheck/guides"
)

// WorkflowName returns the name of the workflow that a file in [WorkflowsDir] defines; ok is
// false for a file that defines none.
func WorkflowName(file string) (name string, ok bool) {
	ext := path.Ext(file)
	return strings.TrimSuffix(file, ext), ext == ".yaml" || ext == ".yml"
}

// Agents lists what rules may name of coding agents.
type Agents interface {
	// Names lists the agents whose logs can be read.
	Names() []string
	// KindOf returns the kind of an agent's tool; known is false if no agent documents it.
	KindOf(tool string) (kind fact.Kind, known bool)
}

// CheckAgents returns the problem of a rule that can never fire, because no agent has its
// name or because its tools run no commands; nil if there is none.
func CheckAgents(r *Rule, agents Agents) *finding.Problem {
	for i, name := range r.Agents {
		if known := agents.Names(); !slices.Contains(known, name) {
			s := `"agent"`
			if len(r.Agents) > 1 {
				s = fmt.Sprintf(`entry %d of "agent"`, i+1)
			}
			return r.problem(r.AgentsAt[i], CodeBadValue, fmt.Sprintf("%s is %q%s", s, name, suggest.OneOf(name, known)))
		}
	}
	tools := r.Texts("tool.tools")
	runs := func(tool string) bool {
		kind, known := agents.KindOf(tool)
		return !known || kind == fact.Command || kind == fact.MCP
	}
	aboutCommands := len(r.Texts("tool.command_pattern"))+len(r.Texts("tool.command_not_pattern")) > 0
	if aboutCommands && len(tools) > 0 && len(r.Texts("tool.mcp_tools")) == 0 && !slices.ContainsFunc(tools, runs) {
		return r.problem(yaml.Place{Line: max(r.Line, 1), Column: 1}, codeToolRule, fmt.Sprintf(
			`"command_pattern" is for tools that run commands, and %s run none; want a tool such as "Bash", or "paths"`, suggest.Quoted(tools)))
	}
	return nil
}

func (r *Rule) problem(at yaml.Place, code, message string) *finding.Problem {
	return &finding.Problem{File: r.File, Line: at.Line, Column: at.Column, Code: code, Message: message}
}
