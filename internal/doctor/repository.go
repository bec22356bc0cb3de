package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/githook"
	"github.com/rulecheck/rulecheck/internal/sandbox"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// git reports the version of git. A git that opened a repository is new enough.
func (e *examination) git(ctx context.Context) error {
	if e.Program == nil {
		e.report("git", Warn, "no git program found; the embedded engine reads the repository and rejects features that it does not support", "install git 2.31 or newer")
		return nil
	}
	version, err := e.Program.Run(ctx, "version")
	if err != nil {
		return err
	}
	e.report("git", OK, strings.TrimSpace(string(version))+" reads the repository, at "+e.Engine.Root(), "")
	return nil
}

// history reports whether the clone is shallow.
func (e *examination) history(context.Context) error {
	switch {
	case e.Program == nil:
	case !e.Program.Shallow:
		e.report("history", OK, "complete", "")
	case e.InCI:
		e.report("history", Warn, "this clone is shallow: bases and waivers in messages may be missing", "check out the whole history, on GitHub: fetch-depth: 0")
	default:
		e.report("history", Warn, "this clone is shallow: bases and waivers in messages may be missing", "git fetch --unshallow")
	}
	return nil
}

// bases reports the bases that rules compare with.
func (e *examination) bases(ctx context.Context) error {
	head, err := e.Engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return e.noVerdict("base", err)
	}
	ids := []string{diff.MergeBase}
	for _, r := range e.rules.Rules {
		if r.Enabled && r.CompareTo != "" && !slices.Contains(ids, r.CompareTo) {
			ids = append(ids, r.CompareTo)
		}
	}
	for _, id := range ids {
		base, err := e.Engine.Resolve(ctx, diff.BaseRequest{ID: id, Head: head, DefaultBranch: e.rules.Config.DefaultBranch, CI: e.CI})
		if err != nil {
			if err := e.noVerdict(id, err); err != nil {
				return err
			}
			continue
		}
		e.report(id, OK, short(base.Commit)+", "+base.FoundBy, "")
	}
	return nil
}

func short(commit string) string { return commit[:min(len(commit), 7)] }

// hooks reports whether git hooks check commits.
func (e *examination) hooks(ctx context.Context) error {
	if e.Program == nil || e.Program.Bare {
		return nil
	}
	if e.InCI {
		e.report("hooks", OK, "not needed in CI", "")
		return nil
	}
	states, err := githook.Inspect(ctx, e.Program)
	if err != nil {
		return err
	}
	next := "rulecheck install git"
	if _, err := githook.Open(ctx, e.Program); errors.As(err, new(*githook.ForeignError)) {
		next = "see: rulecheck install git"
	}
	for _, s := range states {
		switch {
		case s.Active():
			e.report(s.Hook, OK, "checks commits: "+s.File, "")
		case s.Kind == githook.None:
			e.report(s.Hook, Warn, "hook not installed: commits are not checked", next)
		case s.Kind == githook.Other:
			e.report(s.Hook, Warn, "does not run rulecheck: "+s.File, next)
		default:
			e.report(s.Hook, Warn, "not executable: "+s.File, "chmod +x '"+s.File+"'")
		}
	}
	return nil
}

// pending reports files that an interrupted run was writing.
func (e *examination) pending(context.Context) error {
	if e.Program == nil {
		return nil
	}
	err := staging.Pending(e.Program)
	if errors.As(err, new(*staging.PendingError)) {
		e.report("recover", Fail, "an earlier rulecheck --fix was interrupted while writing files", "rulecheck recover")
		return nil
	}
	return err
}

// sandbox reports whether the commands of rules are confined.
func (e *examination) sandbox(context.Context) error {
	level, lacks, err := commands.Confinement(e.Temp)
	if err != nil {
		return err
	}
	switch {
	case lacks == "":
		e.report("sandbox", OK, "commands of rules run in a sandbox, by "+string(level), "")
	case level == sandbox.None:
		e.report("sandbox", Warn, lacks, "use only rules whose commands you trust, or set commands.sandbox: required")
	default:
		e.report("sandbox", Warn, lacks, "allow user namespaces, in Ubuntu by an AppArmor profile or sysctl kernel.apparmor_restrict_unprivileged_userns=0, in Docker by --security-opt seccomp=unconfined")
	}
	return nil
}
