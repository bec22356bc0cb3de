package lsp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Units is how many commits of the main line are looked at for the lens about the past of a rule.
const Units = 200

// shownCommits limits how many commits in which a rule fired are named.
const shownCommits = 3

// past describes a saved rule by past commits.
type past struct {
	key    string    // of what it depends on
	titles []command // of lenses; none: it is not known
	unsure bool      // something failed, and may not do so after the next check
}

// keyOf returns a digest of what the past of a rule depends on: its commits, and the files of
// rulecheck that apply to it.
func keyOf(root, name, head string) string {
	sum := sha256.New()
	files := regular.DirFS(root)
	text, _ := regular.ReadFS(files, name, regular.Text) // a missing one has none
	sum.Write(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", head, name, len(text), text))
	for _, dir := range []string{setup.Dir, path.Dir(name), policies.ProjectDir, rule.WorkflowsDir} {
		_ = fs.WalkDir(files, dir, func(file string, entry fs.DirEntry, err error) error { // a missing directory has no files
			switch {
			case err == nil && entry.IsDir() && dir == setup.Dir && file != dir:
				return fs.SkipDir // it may be an archive of sessions
			case err == nil && !entry.IsDir():
				if info, err := entry.Info(); err == nil {
					sum.Write(fmt.Appendf(nil, "%s\x00%d %d\x00", file, info.Size(), info.ModTime().UnixNano()))
				}
			}
			return nil
		})
	}
	return string(sum.Sum(nil))
}

// forget forgets the pasts that do not hold for what a check found.
func (s *server) forget(now *found) {
	s.mutex.Lock()
	root, holding := s.root, maps.Clone(s.pasts)
	s.mutex.Unlock()
	for name, p := range holding {
		if p.unsure || now.project == nil || p.key != keyOf(root, name, now.project.Head.Commit) {
			delete(holding, name)
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name := range s.pasts {
		if _, ok := holding[name]; !ok || s.open[name] == nil {
			delete(s.pasts, name)
		}
	}
}

// pastOf returns the titles of lenses about the past of an open rule. If it is not known, it is
// looked up in the background. The caller holds the mutex.
func (s *server) pastOf(name string, d *document) []command {
	if d.saved != d.edits || s.found.project == nil {
		return nil
	}
	p, ok := s.pasts[name]
	if !ok && !slices.Contains(s.wanted, name) {
		s.wanted = append(s.wanted, name)
		s.awake()
	}
	return p.titles
}

// replay looks up the past of a rule for which that was asked, and reports whether there was one. A
// check goes first, and interrupts it.
func (s *server) replay(ctx context.Context) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.mutex.Lock()
	if ctx.Err() != nil || len(s.waiting) > 0 || s.typed || len(s.wanted) == 0 {
		s.mutex.Unlock()
		return false
	}
	name, head := s.wanted[0], s.found.project.Head.Commit
	id := strings.TrimSuffix(path.Base(name), path.Ext(name)) // that of the file, whatever texts were checked
	if below, _ := s.ruleBelow(name); below != "" {
		id = strings.TrimSuffix(below, "/") + ":" + id
	}
	dir, root := s.dir, s.root
	s.interrupt = stop
	s.mutex.Unlock()
	known := past{key: keyOf(root, name, head)}
	known.titles, known.unsure = s.titlesOf(ctx, dir, id)
	s.mutex.Lock()
	s.interrupt = nil
	interrupted := ctx.Err() != nil
	if !interrupted {
		s.wanted, s.pasts[name] = s.wanted[1:], known
	}
	refresh := s.client.Capabilities.Workspace.Lens.Refresh
	s.mutex.Unlock()
	switch {
	case interrupted:
		return true // after the check
	case refresh && len(known.titles) > 0:
		s.request("workspace/codeLens/refresh", nil)
	}
	if s.Idle != nil {
		s.Idle()
	}
	return true
}

// titlesOf describes how often a rule fired, and in which commits last. It is unsure if something
// could not be checked.
func (s *server) titlesOf(ctx context.Context, dir, id string) (titles []command, unsure bool) {
	repo, err := s.Open(ctx, dir, nil)
	if err != nil {
		return nil, true
	}
	r, err := repo.Replay(ctx, id)
	if err != nil || len(r.Rules) != 1 || r.Units == 0 {
		return nil, err != nil
	}
	of := &r.Rules[0]
	title := fmt.Sprintf("fired in %d of %s", of.Fired, report.Count(r.Units, "commit"))
	if unclear := of.Unclear() + len(r.Unread); unclear > 0 {
		title += fmt.Sprintf(", not known in %d", unclear)
	}
	titles = []command{{Title: title}}
	for i := range of.Firings {
		f := &of.Firings[i]
		if f.Waived || len(titles) > shownCommits {
			continue
		}
		c := command{Title: shownText(fmt.Sprintf("%s %s %s", report.ShortCommit(f.ID), f.Time.UTC().Format(time.DateOnly), report.Truncate(f.Subject, 60)))}
		if f.URL != "" && s.client.Capabilities.Window.Show.Support {
			c.Name, c.Args = commandOpen, []any{f.URL}
		}
		titles = append(titles, c)
	}
	return titles, of.Unknown+len(r.Unread) > 0
}

// isCommit reports whether a URI is the page of a commit that a lens names. The caller holds the mutex.
func (s *server) isCommit(uri string) bool {
	for _, p := range s.pasts {
		if slices.ContainsFunc(p.titles, func(c command) bool { return slices.Contains(c.Args, any(uri)) }) {
			return true
		}
	}
	return false
}
