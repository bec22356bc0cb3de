package program

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Touched returns the names that each commit changed against its parent, both of a rename.
// For a merge, as in git show, they are those that differ from every parent. A commit whose
// parents a shallow clone lacks is left out.
func (p *Engine) Touched(ctx context.Context, commits []string) (map[string][]string, error) {
	cut, err := p.shallowCommits()
	if err != nil {
		return nil, err
	}
	commits = slices.DeleteFunc(slices.Clone(commits), func(name string) bool { return cut[name] })
	if len(commits) == 0 {
		return nil, nil
	}
	// Without a search for renames, a rename is one deleted and one added name.
	args := slices.Concat([]string{"diff-tree", "--stdin", "--root", "-r", "-c", "--always", "--no-renames"}, pinned, rawForm)
	out, err := p.repo.Do(ctx, git.Call{Args: args, Stdin: strings.NewReader(strings.Join(commits, "\n") + "\n")})
	if err != nil {
		return nil, MissingObject(err)
	}
	touched, err := parseTouched(out.Stdout)
	for _, name := range commits {
		if _, answered := touched[name]; !answered && err == nil {
			err = fmt.Errorf("git diff-tree: no answer for commit %s", name)
		}
	}
	maps.DeleteFunc(touched, func(_ string, names []string) bool { return len(names) == 0 })
	return touched, err
}

// parseTouched parses commits, each followed by its entries: a header that begins with as
// many colons as the commit has parents, and a name.
func parseTouched(out []byte) (map[string][]string, error) {
	touched := map[string][]string{}
	commit := ""
	for rest := string(out); rest != ""; {
		head, after, ok := strings.Cut(rest, "\x00")
		switch {
		case ok && git.IsObjectID(head):
			commit = head
			touched[commit] = nil
		case ok && commit != "" && strings.HasPrefix(head, ":"):
			var name string
			if name, after, ok = strings.Cut(after, "\x00"); ok && name != "" {
				touched[commit] = append(touched[commit], name)
				break
			}
			fallthrough
		default:
			return nil, fmt.Errorf("raw diff of commits: byte %d: %q is neither a commit nor an entry with a name", len(out)-len(rest), head)
		}
		rest = after
	}
	return touched, nil
}

// shallowCommits returns the commits at which a shallow clone ends.
func (p *Engine) shallowCommits() (map[string]bool, error) {
	if !p.repo.Shallow {
		return nil, nil
	}
	text, err := regular.ReadFile(filepath.Join(p.repo.CommonDir, "shallow"))
	cut := map[string]bool{}
	for commit := range strings.FieldsSeq(string(text)) {
		cut[commit] = true
	}
	return cut, err
}

// logBetween prints the commits that head has and base does not, newest first. An unborn head has
// none, and git is not asked if both are the same commit.
func (p *Engine) logBetween(ctx context.Context, base diff.Base, head diff.Head, options ...string) ([]byte, error) {
	if head.Commit == "" || head.Commit == base.Commit {
		return nil, nil
	}
	since := base.Commit
	if s, err := p.snapshotOf(base); err != nil {
		return nil, err
	} else if s != nil {
		since = cmp.Or(s.Commit, p.emptyTree())
	}
	args := slices.Concat([]string{"log", "--no-show-signature"}, options, []string{"--end-of-options", head.Commit, "^" + since})
	return p.repo.Run(ctx, args...)
}

// Messages returns those of the commits that head has and base does not, newest first.
func (p *Engine) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	out, err := p.logBetween(ctx, base, head, "-z", "--encoding=UTF-8", "--format=%H%n%P%n%an%n%ae%n%B")
	if err != nil {
		return nil, err
	}
	var list []diff.Message
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		const fields = 5
		if part := strings.SplitN(string(entry), "\n", fields); len(part) == fields {
			list = append(list, diff.Message{
				Commit: part[0], Merge: strings.Contains(part[1], " "),
				Author: diff.Author{Name: part[2], Email: part[3]}, Text: part[4],
			})
		}
	}
	return list, nil
}

// Dates returns when the commits were made that head has and base does not.
func (p *Engine) Dates(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Dates, error) {
	out, err := p.logBetween(ctx, base, head, "--format=%H %at %ct")
	if err != nil {
		return nil, err
	}
	var list []diff.Dates
	for line := range strings.Lines(string(out)) {
		var d diff.Dates
		var authored, committed int64
		if _, err := fmt.Sscanf(line, "%s %d %d", &d.Commit, &authored, &committed); err != nil {
			return nil, noAnswer("log")
		}
		d.Authored, d.Committed = time.Unix(authored, 0).UTC(), time.Unix(committed, 0).UTC()
		list = append(list, d)
	}
	return list, nil
}

// Merging reports whether the commit that is made next is a merge.
func (p *Engine) Merging() (bool, error) {
	heads, err := repository{p}.MergeHeads()
	return len(heads) > 0, err
}

// Committed returns the time at which a commit was made, by its committer.
func (p *Engine) Committed(ctx context.Context, commit string) (time.Time, error) {
	out, err := p.repo.Run(ctx, "show", "-s", "--no-show-signature", "--format=%ct", "--end-of-options", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return time.Time{}, noAnswer("show")
	}
	return time.Unix(seconds, 0).UTC(), nil
}
