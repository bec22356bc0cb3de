package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// found holds the results of a check.
type found struct {
	project  *setup.Project          // of the last check that read one; nil: none did
	findings map[string][]placed     // by path
	problems map[string][]diagnostic // in files that were written for rulecheck, by path
	unplaced []diagnostic            // why something could not be checked, without a file
	files    []string                // of the working tree; nil: not listed yet
	commands []check.Verdict         // of rules that have a command
	saved    bool                    // no unsaved text was checked
}

// placed is a finding with its diagnostic.
type placed struct {
	finding.Finding

	shown diagnostic
}

// ask asks for a check, and returns a channel that is closed when it has ended.
func (s *server) ask() <-chan struct{} {
	done := make(chan struct{})
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waiting = append(s.waiting, done)
	if s.interrupt != nil {
		s.interrupt()
	}
	s.awake()
	return done
}

// pause asks for a check of what was typed.
func (s *server) pause() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.typed = true
	if s.interrupt != nil {
		s.interrupt()
	}
	s.awake()
}

// awake has the loop look for work.
func (s *server) awake() {
	select {
	case s.wake <- struct{}{}:
	default: // it will
	}
}

// loop does what was asked for: checks, and then replays.
func (s *server) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for s.checkAsked(ctx) || s.replay(ctx) {
		}
	}
}

// checkAsked checks the working tree if that was asked for, and reports whether it was: several
// saves at once, one check.
func (s *server) checkAsked(ctx context.Context) bool {
	s.mutex.Lock()
	waiting, typed := s.waiting, s.typed
	s.waiting, s.typed = nil, false
	s.mutex.Unlock()
	if len(waiting) == 0 && !typed {
		return false
	}
	now, seen := s.checkOpen(ctx, len(waiting) > 0)
	switch {
	case ctx.Err() != nil:
		return false
	case now == nil:
		return true
	}
	s.forget(now)
	s.mutex.Lock()
	s.found = now
	for d, edits := range seen {
		d.checked = edits
	}
	s.refreshAll()
	refresh := s.client.Capabilities.Workspace.Lens.Refresh
	s.mutex.Unlock()
	for _, done := range waiting {
		close(done)
	}
	if refresh {
		s.request("workspace/codeLens/refresh", nil)
	}
	if s.Idle != nil {
		s.Idle()
	}
	return true
}

// checkOpen checks the working tree with the texts of open documents, and returns which edits of
// them it saw. If texts that are not saved need git to be checked, what is saved is; nothing is, if
// that was checked last, and only a pause in typing asks.
func (s *server) checkOpen(ctx context.Context, asked bool) (*found, map[*document]int) {
	dir, seen, texts := s.unsaved()
	if len(texts) > 0 {
		now, err := s.check(ctx, dir, texts)
		if !errors.Is(err, diff.ErrNeedsGit) {
			return now, seen
		}
		if s.mutex.Lock(); err.Error() != s.refused {
			defer s.log("text that is not saved is not checked: " + err.Error())
		}
		s.refused = err.Error()
		for name, d := range s.open {
			if _, ok := texts[name]; ok {
				delete(seen, d)
			}
		}
		s.mutex.Unlock()
		if !asked && s.found.saved {
			return nil, nil
		}
	}
	now, _ := s.check(ctx, dir, nil)
	now.saved = true
	return now, seen
}

// check checks the working tree with texts in the place of files. What it could not check is part
// of the result; the error says why, if that was everything.
func (s *server) check(ctx context.Context, dir string, texts map[string][]byte) (*found, error) {
	now := &found{project: s.found.project, findings: map[string][]placed{}, problems: map[string][]diagnostic{}}
	repo, err := s.Open(ctx, dir, texts)
	if err != nil {
		now.unplaced = []diagnostic{unchecked(err.Error())}
		return now, err
	}
	root := repo.Engine.Root()
	s.locate(root)
	result, err := repo.Check(ctx)
	if err != nil {
		now.unplaced = []diagnostic{unchecked(err.Error())}
		return now, err
	}
	now.project = result.Project
	s.placeAll(now, result, root, texts)
	return now, nil
}

// placeAll places what a check reports in files.
func (s *server) placeAll(now *found, result *check.Result, root string, unsaved map[string][]byte) {
	files := regular.DirFS(root)
	texts := map[string][]string{}
	lines := func(path string) []string {
		if _, ok := texts[path]; !ok {
			text, ok := unsaved[path]
			if !ok {
				text, _ = regular.ReadFS(files, path, maxMessage) // without it, the place is the begin of the line
			}
			texts[path] = splitLines(string(text))
		}
		return texts[path]
	}
	for i := range result.Verdicts {
		if v := result.Verdicts[i]; v.Rule.Action != nil {
			now.commands = append(now.commands, v)
		}
	}
	urls := map[string]string{}
	for _, r := range result.Project.Rules {
		urls[r.ID] = r.URL
	}
	for i := range result.Report.Findings {
		f := result.Report.Findings[i]
		if f.Waived() {
			continue
		}
		now.findings[f.Path] = append(now.findings[f.Path], placed{f, s.diagnosticOf(&f, lines(f.Path), urls[f.Rule])})
	}
	for _, p := range result.Report.Errors {
		_, written := unsaved[p.File]
		if p.File == "" || !fs.ValidPath(p.File) || !written && !exists(filepath.Join(root, filepath.FromSlash(p.File))) {
			now.unplaced = append(now.unplaced, unchecked(p.Error()))
			continue
		}
		now.problems[p.File] = append(now.problems[p.File], ofProblem(p, lines(p.File)))
	}
}

// locate notes where the top of the repository is.
func (s *server) locate(root string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if root == s.root || root == "" {
		return
	}
	names := map[string]*document{}
	for name, d := range s.open {
		names[s.uriOf(name)] = d
	}
	s.root, s.shown, s.open = root, shownRoot(s.dir, root), map[string]*document{}
	for uri, d := range names {
		if name, f := s.pathOf(uri); f == nil {
			s.open[name] = d
		}
	}
}

// shownRoot returns the top of the repository as a client names it that named a directory in it,
// perhaps by way of a symlink.
func shownRoot(dir, root string) string {
	for shown := dir; ; shown = filepath.Dir(shown) {
		if resolved, err := filepath.EvalSymlinks(shown); err == nil && resolved == root {
			return shown
		}
		if shown == filepath.Dir(shown) {
			return root
		}
	}
}

// unchecked is why something could not be checked.
func unchecked(why string) diagnostic {
	return diagnostic{Severity: severityError, Code: "not_evaluated", Source: source, Message: shownText("could not be checked: " + why)}
}

const source = "rulecheck"

// shownText returns text from outside as a client may show it.
func shownText(text string) string { return string(plain.Block(text)) }

// ofProblem returns the diagnostic of a problem in a file with these lines.
func ofProblem(p finding.Problem, lines []string) diagnostic {
	return diagnostic{
		Range: toEnd(lines, p.Line, max(1, p.Column)), Severity: severityError, Code: p.Code, Source: source, Message: shownText(p.Message),
	}
}

// diagnosticOf returns the diagnostic of a finding in a file with these lines.
func (s *server) diagnosticOf(f *finding.Finding, lines []string, url string) diagnostic {
	column := 0
	if f.Column > 0 && f.Line >= 1 && f.Line <= len(lines) {
		column = 1 + bytesOf(lines[f.Line-1], f.Column-1)
	}
	d := diagnostic{Range: toEnd(lines, f.Line, column), Severity: severityOf(f.Level), Code: f.Rule, Source: source, Message: shownText(f.Message)}
	if strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		d.Link = &codeLink{url}
	}
	for _, l := range f.Related {
		at := position{Line: max(0, l.Line-1)}
		d.Related = append(d.Related, relatedTo{location{s.uriOf(l.Path), span{at, at}}, shownText(finding.Printable(l.Path))})
	}
	return d
}

// bytesOf returns how many bytes the first characters of a text have.
func bytesOf(text string, characters int) int {
	for i := range text {
		if characters == 0 {
			return i
		}
		characters--
	}
	return len(text)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func severityOf(level finding.Level) int {
	switch level {
	case finding.Error:
		return severityError
	case finding.Warning:
		return severityWarning
	default:
		return severityNote
	}
}

// refreshAll publishes the diagnostics of all files whose diagnostics changed. The caller holds
// the mutex.
func (s *server) refreshAll() {
	names := map[string]bool{}
	for name := range s.sent {
		names[name] = true
	}
	for name := range s.found.findings {
		names[name] = true
	}
	for name := range s.found.problems {
		names[name] = true
	}
	for name := range s.open {
		names[name] = true
	}
	for name := range names {
		s.refresh(name)
	}
}

// refresh publishes the diagnostics of a file if they changed. The caller holds the mutex.
func (s *server) refresh(name string) {
	list := []diagnostic{} // not null
	for i := range s.found.findings[name] {
		list = append(list, s.found.findings[name][i].shown)
	}
	d := s.open[name]
	if d != nil && s.written(name) && d.edits != d.checked {
		list = append(list, s.problemsOf(name, d)...)
	} else {
		list = append(list, s.found.problems[name]...)
	}
	if d != nil {
		list = append(list, s.found.unplaced...)
	}
	slices.SortStableFunc(list, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Severity, b.Severity))
	})
	text, err := json.Marshal(list)
	if err != nil {
		return // all of it is text and numbers
	}
	if had, ok := s.sent[name]; had == string(text) || !ok && len(list) == 0 {
		return
	}
	s.sent[name] = string(text)
	if len(list) == 0 {
		delete(s.sent, name)
	}
	s.notify("textDocument/publishDiagnostics", published{s.uriOf(name), list})
}
