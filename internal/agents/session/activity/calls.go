package activity

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// addCalls adds calls of tools.
func (c *Counter) addCalls(sum *fact.Activity, calls []session.ToolCall, root string) {
	commands, files, tools := map[string]*fact.CommandCount{}, map[string]*fact.FileCount{}, map[string]*fact.ToolCount{}
	commits, unknown := 0, false
	for i := range calls {
		call := &calls[i]
		if call.Sidechain {
			subagents(sum).Calls++
		}
		name := c.masked(call.Name)
		entry(tools, name+"\x00"+string(call.Kind), fact.ToolCount{Name: name, Kind: call.Kind}).Add(call.Status, 1)
		times := 1
		if call.Kind == fact.FileEdit {
			times = max(1, len(call.Paths))
		}
		sum.Total.Of(call.Kind).Add(call.Status, times)
		if call.ExitCode != nil && call.Kind == fact.Command {
			addExit(sum, *call.ExitCode)
		}
		switch call.Kind {
		case fact.Command:
			for _, program := range c.programs(call.Command) {
				entry(commands, program, fact.CommandCount{Name: program}).Add(call.Status, 1)
				if program == "git commit" {
					unknown = unknown || call.Status == fact.Unknown
					if call.Status == fact.OK {
						commits++
					}
				}
			}
		case fact.FileEdit:
			for _, path := range call.Paths {
				path = c.masked(session.RelativeTo(root, path))
				file := entry(files, path, fact.FileCount{Path: path})
				if file.Tools == nil {
					file.Tools = map[string]int{}
				}
				file.Tools[name]++
				file.Add(call.Status, 1)
			}
		case fact.Read, fact.MCP, fact.Other:
		}
	}
	sum.Commands = sorted(commands, func(x fact.CommandCount) (int, string) { return x.All(), x.Name })
	sum.Edits = sorted(files, func(x fact.FileCount) (int, string) { return x.All(), x.Path })
	sum.Tools = sorted(tools, func(x fact.ToolCount) (int, string) { return x.All(), x.Name + "\x00" + string(x.Kind) })
	if !unknown {
		sum.Commits = &commits
	}
}

func subagents(s *fact.Activity) *fact.SubagentShare {
	if s.Subagents == nil {
		s.Subagents = &fact.SubagentShare{}
	}
	return s.Subagents
}

func addExit(s *fact.Activity, code int) {
	if s.ExitCodes == nil {
		s.ExitCodes = map[int]int{}
	}
	s.ExitCodes[code]++
}

// masked returns a text of a log without secrets, on one short line.
func (c *Counter) masked(text string) string {
	short, ok := c.texts[text]
	if !ok {
		short = mask.Excerpt(text)
		c.texts[text] = short
	}
	return short
}

// entry returns the entry of a key; a missing one is added.
func entry[E any](of map[string]*E, key string, missing E) *E {
	e, ok := of[key]
	if !ok {
		e = &missing
		of[key] = e
	}
	return e
}

// sorted returns the entries by falling number of calls, then by name.
func sorted[E any](of map[string]*E, key func(E) (int, string)) []E {
	list := make([]E, 0, len(of))
	for _, e := range of {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b E) int {
		m, x := key(a)
		n, y := key(b)
		return cmp.Or(n-m, cmp.Compare(x, y))
	})
	return list
}
