package native

import (
	"context"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// Messages returns those of the commits that head has and base does not, newest first. An
// unborn head has none.
func (e *Engine) Messages(_ context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	if head.Commit == "" {
		return nil, nil
	}
	old, err := e.ancestors(base.Commit)
	if err != nil {
		return nil, err
	}
	w := e.walk()
	start := gitfile.ParseID(head.Commit)
	if old[start] {
		return nil, nil
	}
	if err := w.reach(start); err != nil {
		return nil, err
	}
	var list []diff.Message
	for w.Len() > 0 {
		commit, c := w.next()
		if c.Encoding != "" && !strings.EqualFold(c.Encoding, "utf-8") {
			return nil, diff.NeedsGit("the message of commit " + commit.String() + " in the encoding " + c.Encoding)
		}
		text, _, _ := strings.Cut(c.Text, "\x00")
		list = append(list, diff.Message{Commit: commit.String(), Author: c.Author, Text: text, Merge: len(c.Parents) > 1})
		for _, parent := range c.Parents {
			if _, seen := w.commits[parent]; seen || old[parent] {
				continue
			}
			if err := w.reach(parent); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// Dates returns when the commits were made that head has and base does not.
func (e *Engine) Dates(_ context.Context, base diff.Base, head diff.Head) ([]diff.Dates, error) {
	if head.Commit == "" {
		return nil, nil
	}
	old, err := e.ancestors(base.Commit)
	if err != nil {
		return nil, err
	}
	seen := map[gitfile.ID]bool{}
	var list []diff.Dates
	for queue := []gitfile.ID{gitfile.ParseID(head.Commit)}; len(queue) > 0; {
		commit := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[commit] || old[commit] {
			continue
		}
		seen[commit] = true
		c, err := e.readCommit(commit)
		if err != nil {
			return nil, err
		}
		list = append(list, diff.Dates{Commit: commit.String(), Authored: time.Unix(c.Authored, 0).UTC(), Committed: time.Unix(c.Date, 0).UTC()})
		queue = append(queue, c.Parents...)
	}
	return list, nil
}

// ancestors returns a commit and every commit that it can reach; for a tree none.
func (e *Engine) ancestors(name string) (map[gitfile.ID]bool, error) {
	commit := gitfile.ParseID(name)
	kind, _, err := e.objects.Read(commit)
	if err != nil || kind != gitfile.TypeCommit {
		return nil, err
	}
	all := map[gitfile.ID]bool{commit: true}
	for queue := []gitfile.ID{commit}; len(queue) > 0; {
		c, err := e.readCommit(queue[len(queue)-1])
		if err != nil {
			return nil, err
		}
		queue = queue[:len(queue)-1]
		for _, parent := range c.Parents {
			if !all[parent] {
				all[parent] = true
				queue = append(queue, parent)
			}
		}
	}
	return all, nil
}

// Merging reports whether the commit that is made next is a merge.
func (e *Engine) Merging() (bool, error) {
	heads, err := repository{e}.MergeHeads()
	return len(heads) > 0, err
}

// Committed returns the time at which a commit was made, by its committer.
func (e *Engine) Committed(_ context.Context, commit string) (time.Time, error) {
	c, err := e.readCommit(gitfile.ParseID(commit))
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(c.Date, 0).UTC(), nil
}

// Departures knows of none: the git program finds them many times faster.
func (*Engine) Departures(context.Context, string, []string) (map[string]diff.Departure, error) {
	return nil, nil
}
