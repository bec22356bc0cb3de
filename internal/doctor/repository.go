package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/githook"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// git tells of the program that reads the repository, which is as new as it needs
// to be where it has opened one.
func (e *examination) git(ctx context.Context) error {
	if e.Program == nil {
		e.say("git", Warn, "the embedded engine reads the repository, without a git program; it refuses what it does not know", "install git 2.31 or newer")
		return nil
	}
	version, err := e.Program.Run(ctx, "version")
	if err != nil {
		return err
	}
	e.say("git", OK, strings.TrimSpace(string(version))+" reads the repository, at "+e.Engine.Root(), "")
	return nil
}

// history tells whether it is all there.
func (e *examination) history(context.Context) error {
	switch {
	case e.Program == nil:
	case !e.Program.Shallow:
		e.say("history", OK, "all of it is here", "")
	case e.InCI:
		e.say("history", Warn, "this clone is shallow: bases and waivers in messages may lie beyond its end", "check out with all history, at GitHub: fetch-depth: 0")
	default:
		e.say("history", Warn, "this clone is shallow: bases and waivers in messages may lie beyond its end", "git fetch --unshallow")
	}
	return nil
}

// bases tells what the rules are compared with.
func (e *examination) bases(ctx context.Context) error {
	head, err := e.Engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return e.unjudgeable("base", err)
	}
	tree, err := e.Engine.Tree(ctx, head, setup.ConfigFile)
	if err != nil {
		return err
	}
	config, _ := rule.LoadConfig(tree, setup.ConfigFile) // its problems are told with those of the rules
	ids := []string{diff.MergeBase}
	for _, r := range e.rules.Rules {
		if r.Enabled && r.CompareTo != "" && !slices.Contains(ids, r.CompareTo) {
			ids = append(ids, r.CompareTo)
		}
	}
	for _, id := range ids {
		base, err := e.Engine.Resolve(ctx, diff.BaseRequest{ID: id, Head: head, DefaultBranch: config.DefaultBranch, CI: e.CI})
		if err != nil {
			if err := e.unjudgeable(id, err); err != nil {
				return err
			}
			continue
		}
		e.say(id, OK, short(base.Commit)+", "+base.FoundBy, "")
	}
	return nil
}

func short(commit string) string { return commit[:min(len(commit), 7)] }

// hooks tells whether commits are judged before they are made.
func (e *examination) hooks(ctx context.Context) error {
	if e.Program == nil || e.Program.Bare {
		return nil
	}
	if e.InCI {
		e.say("hooks", OK, "not asked for in CI", "")
		return nil
	}
	states, err := githook.Look(ctx, e.Program)
	if err != nil {
		return err
	}
	next := "rulecheck install git"
	if _, err := githook.Open(ctx, e.Program); errors.As(err, new(*githook.ForeignError)) {
		next = "see: rulecheck install git"
	}
	for _, s := range states {
		switch {
		case s.Judges():
			e.say(s.Hook, OK, "judges: "+s.File, "")
		case s.Runs == githook.Nothing:
			e.say(s.Hook, Warn, "no such hook: a commit is judged by nobody", next)
		case s.Runs == githook.Another:
			e.say(s.Hook, Warn, "does not run rulecheck: "+s.File, next)
		default:
			e.say(s.Hook, Warn, "may not be executed: "+s.File, "chmod +x '"+s.File+"'")
		}
	}
	return nil
}

// pending tells of files that an interrupted run was writing.
func (e *examination) pending(context.Context) error {
	if e.Program == nil {
		return nil
	}
	err := staging.Pending(e.Program)
	if errors.As(err, new(*staging.PendingError)) {
		e.say("recover", Fail, "an earlier rulecheck --fix was stopped while it wrote files", "rulecheck recover")
		return nil
	}
	return err
}

// sandbox tells how the commands of rules are confined.
func (e *examination) sandbox(context.Context) error {
	open, err := commands.Unconfined()
	if err != nil {
		return err
	}
	if open == "" {
		e.say("sandbox", OK, "commands of rules are confined by Landlock", "")
		return nil
	}
	e.say("sandbox", Warn, open, "let only rules run commands that you trust, or set commands.sandbox: required")
	return nil
}
