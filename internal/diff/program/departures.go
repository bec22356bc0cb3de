package program

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// departuresIn is how many commits of the main line are searched for the end of a path.
const departuresIn = 5000

// Departures returns how paths left the newest commits of the main line of a commit.
func (p *Engine) Departures(ctx context.Context, commit string, paths []string) (map[string]diff.Departure, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := p.repo.Run(ctx, "rev-list", "--first-parent", "--skip="+strconv.Itoa(departuresIn), "--max-count=1", "--end-of-options", commit)
	if err != nil {
		return nil, err
	}
	args := []string{
		"--literal-pathspecs", "log", "--no-show-signature", "--no-decorate", "--first-parent", "--diff-merges=first-parent", "--diff-filter=D",
		"-z", "--name-only", "--no-renames", "--format=%H %P", "--end-of-options", commit,
	}
	if before := strings.TrimSpace(string(out)); before != "" {
		args = append(args, "^"+before)
	}
	if out, err = p.repo.Run(ctx, slices.Concat(args, []string{"--"}, paths)...); err != nil {
		return nil, onlyAdvice(MissingObject(err))
	}
	ends, parents := map[string]diff.Departure{}, map[string]string{}
	at := ""
	var commits []string // with departures
	for part := range strings.SplitSeq(string(out), "\x00") {
		part = strings.TrimPrefix(part, "\n")
		if _, known := ends[part]; !known && slices.Contains(paths, part) {
			ends[part], commits = diff.Departure{Commit: at}, append(commits, at)
		} else if ids := strings.Fields(part); len(ids) > 1 && !slices.Contains(paths, part) {
			at, parents[ids[0]] = ids[0], ids[1]
		}
	}
	for _, commit := range slices.Compact(commits) {
		set, err := p.Changes(ctx, diff.Base{ID: diff.From, Commit: parents[commit]}, diff.Head{Kind: diff.Commit, Ref: commit, Commit: commit})
		if err != nil {
			return nil, onlyAdvice(err)
		}
		for i := range set.Changes {
			c := &set.Changes[i]
			if end, ok := ends[c.OldPath]; ok && c.Status == diff.Renamed && end.Commit == commit {
				ends[c.OldPath] = diff.Departure{Commit: commit, To: c.Path}
			}
		}
	}
	return ends, nil
}

// onlyAdvice drops the error that objects are missing: the verdict does not depend on them.
func onlyAdvice(err error) error {
	if errors.As(err, new(*diff.NoVerdictError)) {
		return nil
	}
	return err
}
