package diff

import (
	"context"
	"path/filepath"

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
	var asked, untracked []string
	for _, c := range list {
		if c.Status == Deleted || c.Kind == Submodule {
			continue
		}
		asked = append(asked, c.Names()...)
		if c.Untracked {
			untracked = append(untracked, c.Path)
		}
	}
	if len(asked) == 0 {
		return map[string][]Lines{}, nil
	}
	call := git.Call{Args: append(compare(base.Commit, head, patchForm, withRenames), pathspecs(asked)...)}
	if head.Kind == Worktree {
		index, err := p.privately()
		if err != nil {
			return nil, err
		}
		defer index.discard()
		if len(untracked) > 0 {
			if err := index.add(ctx, base.Commit, untracked, nil); err != nil {
				return nil, err
			}
		}
		call = index.call(call.Args)
	}
	res, err := p.repo.Do(ctx, call)
	if err != nil {
		return nil, lacking(err)
	}
	all, err := ParseHunks(res.Stdout)
	if err != nil {
		return nil, err
	}
	lines := make(map[string][]Lines, len(list))
	for _, c := range list {
		if runs, ok := all[c.Path]; ok {
			lines[c.Path] = runs
		}
	}
	return lines, nil
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
