package diff

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/git"
)

// patchForm has no context, one hunk for each run of lines, and nothing that
// configuration would choose.
var patchForm = []string{
	"-p", "-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
	"--src-prefix=a/", "--dst-prefix=b/",
}

// Lines are, for each of the changes that has any, the runs of lines at head that
// were added or changed, in order; see ParseHunks.
func (p *Program) Lines(ctx context.Context, base Base, head Head, list []Change) (map[string][]Lines, error) {
	var asked, untracked, retyped []string
	for _, c := range list {
		switch {
		case c.Status == Deleted || c.Kind == Submodule:
			continue
		case c.Status == TypeChanged && c.Kind == Symlink:
			// Git writes no patch from a submodule to a symlink.
			retyped = append(retyped, c.Path)
			continue
		}
		asked = append(asked, c.Names()...)
		if c.Untracked {
			untracked = append(untracked, c.Path)
		}
	}
	lines, err := p.linkLines(ctx, head, retyped)
	if err != nil || len(asked) == 0 {
		return lines, err
	}
	renames := []string{"--no-renames"} // which would compare contents for nothing
	if slices.ContainsFunc(list, func(c Change) bool { return c.OldPath != "" }) {
		renames = withRenames
	}
	call := git.Call{
		Args: append(compare(base.Commit, head, patchForm, renames), pathspecs(asked)...),
		Env:  p.reading(base),
	}
	switch {
	case head.Kind == Worktree && len(untracked) == 0 && !p.sparse():
		// Git writes an index only that it has refreshed, so this may be the user's.
		call.Args = slices.Concat(unrefreshed, call.Args)
	case head.Kind == Worktree:
		index, err := p.privately(base)
		if err != nil {
			return nil, err
		}
		defer index.discard()
		index.config = unrefreshed
		if len(untracked) > 0 {
			if err := index.add(ctx, base.Commit, untracked, nil); err != nil {
				return nil, err
			}
		}
		call = index.call(call.Args)
	}
	res, err := p.storeless(ctx, call)
	if err != nil {
		return nil, lacking(err)
	}
	all, err := ParseHunks(res.Stdout)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if runs, ok := all[c.Path]; ok {
			lines[c.Path] = runs
		}
	}
	return lines, nil
}

// linkLines are all lines of symlinks that were something else.
func (p *Program) linkLines(ctx context.Context, head Head, links []string) (map[string][]Lines, error) {
	targets, err := p.Contents(ctx, head, links, -1)
	lines := make(map[string][]Lines, len(targets))
	for name, target := range targets {
		lines[name] = []Lines{{First: 1, Last: 1 + bytes.Count(bytes.TrimSuffix(target, []byte("\n")), []byte("\n"))}}
	}
	return lines, err
}

// argumentBytes bounds the pathspecs of one process: Windows takes 32,767
// characters in all, other systems far more.
const argumentBytes = 24 << 10

// pathspecs limit a command to names, taken as they are and from the top of the
// repository, wherever git runs. There are none where they would be too long; the
// caller picks from the whole answer anyway. Git refuses names that lead out of the
// repository, where there is nothing to be found, so they are left out.
func pathspecs(names []string) []string {
	const magic = ":(top,literal)"
	size := 0
	specs := make([]string, 0, len(names))
	for _, name := range names {
		if !filepath.IsLocal(name) {
			continue
		}
		spec := magic + name
		if size += len(spec) + 3; size > argumentBytes { // Windows may quote it
			return nil
		}
		specs = append(specs, spec)
	}
	return specs
}
