// Package start writes the first rules of a repository: those that its past followed, mined
// from it or from packs, each tried on the past before it is written.
package start

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Options configure [Init].
type Options struct {
	Version string // of this program
	Now     time.Time
	Agents  check.Agents
	// Progress is called with what is being done, and how much of it; all is 0 if that is
	// unknown. It may be nil.
	Progress func(doing string, done, all int)
}

// Start is the outcome of [Init].
type Start struct {
	Written  []string          // paths, the configuration last
	Packs    []string          // that fit the files of the repository
	Found    *propose.Proposal // rules that past commits followed; nil: the past could not be read
	Unread   string            // why not
	Past     *replay.Report    // of the rules that were tried; nil: none was
	Rules    []Rule            // that were tried: mined ones first, then those of packs
	Problem  string            // why the first rule that could not be checked could not
	Examples []Example         // commits in which rules fired, the best ones first
	Exclude  []string          // patterns of files that no rule looks at
}

// Limits of the first rules.
const (
	mostMined = 10
	triedOn   = 1000 // newest commits
)

// lazyFetch is the option that a partial clone needs to be tried.
const lazyFetch = "--allow-lazy-fetch"

// Init writes a configuration, the rules that past commits followed, and the schemas that
// editors use. If one of the files exists, it fails and writes nothing, except that it
// completes what an interrupted run began: that has no configuration yet, and its files have
// the same content. repo is nil where there is no git program.
func Init(ctx context.Context, engine diff.Engine, repo *git.Repo, o Options) (*Start, error) {
	root, err := os.OpenRoot(engine.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := lacking(root, []ruletest.File{{Path: setup.ConfigFile}}); err != nil {
		return nil, err
	}
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	files, err := engine.Files(ctx, head)
	if err != nil {
		return nil, err
	}
	schemas, err := ruletest.Schemas(ctx, engine)
	if err != nil {
		return nil, err
	}
	s := &Start{Packs: ruletest.PacksFor(files), Exclude: excluded(regular.RootFS(root), files)}
	config := ruletest.File{Path: setup.ConfigFile, Content: config(s.Packs, s.Exclude, o.Version)}
	if err := s.mine(ctx, engine, repo, config.Content, o); err != nil {
		return nil, err
	}
	if s.Found != nil && s.Found.Units > 0 {
		t := &trial{files: files, root: regular.RootFS(root), config: config.Content, start: s}
		if err := t.run(ctx, engine, repo, o); err != nil {
			return nil, err
		}
		if reason := cmp.Or(s.Unread, s.Problem); strings.Contains(reason, lazyFetch) { // before init writes what it would refuse to replace
			return nil, errors.New(strings.Replace(reason, "rulecheck "+lazyFetch, "rulecheck init "+lazyFetch, 1))
		}
	}
	all := slices.Concat(s.files(), schemas.Files(), []ruletest.File{config})
	missing, err := lacking(root, all)
	if err != nil {
		return nil, err
	}
	s.Written, err = ruletest.CreateAll(root, missing)
	return s, err
}

// mine finds the rules that past commits followed.
func (s *Start) mine(ctx context.Context, engine diff.Engine, repo *git.Repo, config string, o Options) (err error) {
	if repo == nil {
		s.Unread = "the past is read with the git program, which was not found"
		return nil
	}
	o.doing("reading past commits", 0, 0)
	read, problems := rule.LoadConfig(fstest.MapFS{setup.ConfigFile: {Data: []byte(config)}}, setup.ConfigFile)
	if len(problems) > 0 {
		return problems[0]
	}
	s.Found, err = propose.Find(ctx, engine, repo, propose.Options{
		Commits: propose.Commits, Strict: true, Limit: mostMined, Config: read, Version: o.Version, Now: o.Now, Agents: o.Agents,
	})
	if errors.Is(err, propose.ErrShallow) {
		s.Unread, err = err.Error(), nil
	}
	return err
}

func (o Options) doing(what string, done, all int) {
	if o.Progress != nil {
		o.Progress(what, done, all)
	}
}

// lacking returns the files that a root lacks. The last one must be among them, and the
// others must not exist with another content.
func lacking(root *os.Root, files []ruletest.File) (lacking []ruletest.File, err error) {
	for i, f := range slices.Backward(files) {
		if _, err := root.Lstat(f.Path); errors.Is(err, fs.ErrNotExist) {
			lacking = append(lacking, f)
			continue
		} else if err != nil {
			return nil, err
		}
		text, err := regular.ReadFS(regular.RootFS(root), f.Path, regular.Text)
		if i == len(files)-1 || err != nil || string(text) != f.Content {
			return nil, fmt.Errorf("%s exists; init writes only where there are no rules yet; for more rules, run: rulecheck suggest", f.Path)
		}
	}
	slices.Reverse(lacking)
	return lacking, nil
}
