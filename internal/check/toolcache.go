package check

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// toolCache returns the directory of the tools' caches for this repository. Its commands can put
// anything there, programs as well, which those of another must not run. Commands that the
// default branch does not have share a second directory: they must not choose what its commands
// run.
func (r *run) toolCache(ctx context.Context, jobs []commands.Job) string {
	place := r.engine.Root()
	if repo := r.Commands.Repo; repo != nil {
		place = repo.CommonDir
	}
	if !r.runsCommandsOfDefaultBranch(ctx, jobs) {
		place += "\x00changed"
	}
	return filepath.Join(r.Commands.Cache, fmt.Sprintf("%x", sha256.Sum256([]byte(place)))[:16])
}

// runsCommandsOfDefaultBranch reports whether the change since the default branch leaves the
// commands as they are: the files of rules and configuration, and the files that a command names.
func (r *run) runsCommandsOfDefaultBranch(ctx context.Context, jobs []commands.Job) bool {
	fromBase := r.RulesFrom == RulesFromBase
	if r.RulesFrom != "" && !fromBase {
		return false
	}
	set, err := r.sinceDefaultBranch(ctx)
	if err != nil {
		return false
	}
	named := map[string]bool{}
	for _, job := range jobs {
		for _, word := range job.Action.Argv {
			for _, part := range strings.FieldsFunc(word, endsPath) {
				named[path.Clean(strings.TrimPrefix(part, "{repo_root}/"))] = true
			}
		}
	}
	ownRules := diff.NamedIn[string](setup.Dir)
	for name := range set.Names() {
		isRule := ownRules(name) || strings.HasPrefix(name, setup.Dir+"/") || strings.HasPrefix(name, r.project.Config.RulesDir+"/")
		if isRule && !fromBase || named[name] {
			return false
		}
	}
	return true
}

// sinceDefaultBranch compares head with the default branch. The configuration of that branch names
// it: a change must not choose what it is compared with.
func (r *run) sinceDefaultBranch(ctx context.Context) (diff.Changeset, error) {
	request := diff.BaseRequest{Head: r.head, CI: r.CI}
	target, _, err := setup.OpenTarget(ctx, r.engine, request, r.Agents)
	if err != nil {
		return diff.Changeset{}, err
	}
	if target.Config.DefaultBranch == r.bases.request.DefaultBranch {
		return r.bases.compare(ctx, diff.MergeBase).changes()
	}
	request.ID, request.DefaultBranch = diff.MergeBase, target.Config.DefaultBranch
	base, err := r.engine.Resolve(ctx, request)
	if err != nil {
		return diff.Changeset{}, err
	}
	return r.engine.Changes(ctx, base, r.head)
}

// endsPath reports whether a character of a command line separates paths.
func endsPath(c rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>=", c) }
