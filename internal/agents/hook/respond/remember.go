package respond

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook/memory"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// remembering is an engine whose working tree has files that it lost during the session.
type remembering struct {
	diff.Engine

	only  bool // the working tree has nothing else
	files map[string]string
}

// Tree returns a part of head as a file system.
func (r remembering) Tree(ctx context.Context, head diff.Head, paths ...string) (fs.FS, error) {
	if head.Kind == diff.Worktree && r.only {
		return memory.FS(r.files), nil
	}
	tree, err := r.Engine.Tree(ctx, head, paths...)
	if err != nil || head.Kind != diff.Worktree {
		return tree, err
	}
	return read.Over(memory.FS(r.files), tree), nil
}

// recall reads the rules of the working tree, and restores what the session has lost of those that
// were in force when it began. The first event of a session is its beginning. The files are read
// once, so that the rules that decide are those that are remembered.
func (w *World) recall(ctx context.Context, now time.Time) (*setup.Project, error) {
	tree, err := w.engine.Tree(ctx, diff.Head{Kind: diff.Worktree}, setup.Dir)
	if err != nil {
		return nil, err
	}
	files, err := memory.Read(tree, setup.Dir)
	if err != nil {
		return nil, err
	}
	p, err := w.readProject(ctx, remembering{Engine: w.engine, files: files})
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(p.Config.RulesDir, setup.Dir+"/") {
		if files, err = memory.Read(p.Tree, setup.Dir, p.Config.RulesDir); err != nil {
			return nil, err
		}
	}
	m, err := memory.Load(w.engine.GitDir(), w.event.Agent, w.event.Session)
	if err != nil {
		return nil, err
	}
	if m == nil {
		if m, err = w.beginning(ctx, p, maps.Clone(files), now); err != nil {
			return nil, fmt.Errorf("remember the rules of the session: %w", err)
		}
		// Where nothing can be written, the journal cannot either, and reports that: the rules of
		// the working tree decide all the same.
		_ = m.Save(w.engine.GitDir(), w.event.Agent, w.event.Session)
	}
	w.memory = m
	lost, err := w.lost(ctx, m, p, files)
	if err != nil || len(lost) == 0 {
		return p, err
	}
	w.restored = slices.Sorted(maps.Keys(lost))
	w.engine = remembering{Engine: w.engine, files: lost}
	return w.readProject(ctx, w.engine)
}

// beginning returns what is in force now: the files of the working tree, of those that do not
// load the version in HEAD, and the rules that only the default branch has.
func (w *World) beginning(ctx context.Context, p *setup.Project, files map[string]string, now time.Time) (*memory.Memory, error) {
	m := &memory.Memory{At: now.UTC(), Files: files, Settings: memory.Digests(w.engine.Root(), settingsFiles())}
	if broken := problemsIn(p); len(broken) > 0 {
		head, err := w.engine.Head(ctx, diff.Commit, "HEAD")
		if err != nil {
			return nil, err
		}
		committed, err := w.filesAt(ctx, head, p)
		if err != nil {
			return nil, err
		}
		for name, text := range committed {
			if broken[name] {
				m.Files[name] = text
			}
		}
	}
	base, err := w.defaultTip(ctx, p)
	if err != nil || base.Ref == "" {
		return m, nil //nolint:nilerr // a repository without a default branch has its own rules only
	}
	m.Branch, m.Tip = base.Ref, base.Commit
	upstream, err := w.filesAt(ctx, diff.Head{Kind: diff.Commit, Ref: base.Ref, Commit: base.Commit}, p)
	for name, text := range upstream {
		if _, ok := m.Files[name]; !ok {
			m.Files[name] = text
			m.Upstream = append(m.Upstream, name)
		}
	}
	slices.Sort(m.Upstream)
	return m, err
}

// defaultTip returns the tip of the default branch; without a ref where there is no commit.
func (w *World) defaultTip(ctx context.Context, p *setup.Project) (diff.Base, error) {
	head, err := w.engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return diff.Base{}, err
	}
	return w.engine.Resolve(ctx, diff.BaseRequest{ID: diff.DefaultTip, Head: head, DefaultBranch: p.Config.DefaultBranch})
}

// filesAt returns the texts of the files of rules at head, by path.
func (w *World) filesAt(ctx context.Context, head diff.Head, p *setup.Project) (map[string]string, error) {
	tree, err := w.engine.Tree(ctx, head, setup.Dir, p.Config.RulesDir)
	if err != nil {
		return nil, err
	}
	return memory.Read(tree, setup.Dir, p.Config.RulesDir)
}

// lost returns the remembered files that are in force and that the working tree has no
// longer, or not in a form that loads.
func (w *World) lost(ctx context.Context, m *memory.Memory, p *setup.Project, files map[string]string) (map[string]string, error) {
	missing, edited, _ := m.Changed(files)
	broken := problemsIn(p)
	edited = slices.DeleteFunc(edited, func(name string) bool { return !broken[name] && name != setup.ConfigFile })
	if len(missing)+len(edited) == 0 {
		return nil, nil
	}
	q, err := w.readProject(ctx, remembering{Engine: w.engine, only: true, files: m.Files})
	if err != nil {
		return nil, err
	}
	named := map[string]bool{} // the rules that the working tree has
	for _, r := range p.Rules {
		named[strings.ToLower(r.Name)], named[r.ID] = true, true
	}
	elsewhere := map[string]bool{} // the files whose rules the working tree has in another file
	for _, r := range q.Rules {
		if named[strings.ToLower(r.Name)] || named[r.ID] {
			elsewhere[r.File] = true
		}
	}
	lost := map[string]string{}
	for _, name := range append(missing, edited...) {
		if name == setup.ConfigFile && !broken[name] && !slices.Contains(missing, name) && !loosens(p.Config, q.Config) || elsewhere[name] {
			continue
		}
		lost[name] = m.Files[name]
	}
	return lost, nil
}

// loosens reports whether a configuration takes rules away that another one has.
func loosens(now, before rule.Config) bool {
	has := func(name string) bool { return slices.Contains(now.Extends, name) }
	return before.Enabled && !now.Enabled || now.RulesDir != before.RulesDir || len(now.Exclude) > len(before.Exclude) ||
		len(now.Packs) < len(before.Packs) || now.OnAgentError == rule.OnErrorAllow && before.OnAgentError != rule.OnErrorAllow ||
		now.Opaque != before.Opaque && (now.Opaque == toolcall.Warn || now.Opaque == toolcall.Allow) ||
		slices.ContainsFunc(before.Extends, func(name string) bool { return !has(name) })
}

// problemsIn returns the files that do not load.
func problemsIn(p *setup.Project) map[string]bool {
	files := map[string]bool{}
	for _, problem := range p.Problems {
		files[problem.File] = true
	}
	return files
}

// settingsFiles returns the files of a repository that register hooks, of all agents.
func settingsFiles() []string {
	var files []string
	for _, a := range profile.All() {
		for _, name := range append(a.Settings.Files(), a.Settings.Local) {
			if name != "" && !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return files
}

// changes returns what a user should know of the session: which of the rules, of the settings
// of hooks and of the commit that changes are compared with are not those it began with.
func (w *World) changes(ctx context.Context) []string {
	m := w.memory
	if m == nil || w.loaded == nil {
		return nil
	}
	var notices []string
	add := func(what string, names []string) {
		if len(names) > 0 {
			notices = append(notices, what+": "+some(names))
		}
	}
	add("rules that the working tree has lost since the session began, and that stay in force", w.restored)
	root := w.engine.Root()
	if files, err := w.filesAt(ctx, diff.Head{Kind: diff.Worktree}, w.loaded); err == nil {
		missing, edited, added := m.Changed(files) // the tree has what was restored
		missing = slices.DeleteFunc(missing, func(name string) bool { return slices.Contains(m.Upstream, name) })
		add("files of rules that are gone since the session began", missing)
		add("files of rules that changed since the session began", edited)
		add("files of rules that are new since the session began", added)
	}
	now := memory.Digests(root, settingsFiles())
	var settings []string
	for _, name := range settingsFiles() {
		if now[name] != m.Settings[name] {
			settings = append(settings, filepath.ToSlash(name))
		}
	}
	add("settings of hooks that changed since the session began", settings)
	if m.Tip != "" {
		base, err := w.defaultTip(ctx, w.loaded)
		switch {
		case err != nil:
			notices = append(notices, "the default branch was "+m.Branch+" when the session began, and is not found now: "+err.Error())
		case base.Commit != m.Tip:
			notices = append(notices, fmt.Sprintf("%s moved from %.7s to %.7s since the session began (%s)", m.Branch, m.Tip, base.Commit, base.Ref))
		}
	}
	return notices
}

// some lists the first of some names.
func some(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
