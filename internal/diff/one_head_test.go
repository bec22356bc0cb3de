package diff_test

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// facts are the questions about a head, by the method of an engine and the part of its answer.
var facts = map[string]func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error){
	"Changes": func(_ context.Context, _ diff.Engine, set diff.Changeset) (any, error) {
		var list []string
		for _, c := range set.Changes {
			list = append(list, whole(c))
		}
		return list, nil
	},
	"Lines": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Lines(ctx, set.Base, set.Head, set.Changes)
	},
	"Details " + string(diff.PartAddedLines):   detailFact(diff.PartAddedLines),
	"Details " + string(diff.PartAddedCount):   detailFact(diff.PartAddedCount),
	"Details " + string(diff.PartRemovedLines): detailFact(diff.PartRemovedLines),
	"Details " + string(diff.PartBinary):       detailFact(diff.PartBinary),
	"Details " + string(diff.PartLFS):          detailFact(diff.PartLFS),
	"Details " + string(diff.PartSize):         detailFact(diff.PartSize),
	"Details " + string(diff.PartContent):      detailFact(diff.PartContent),
	"Contents": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		contents, err := e.Contents(ctx, set.Head, hiddenNames, -1)
		return asTexts(contents), err
	},
	"EachContent": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		var visiting sync.Mutex
		contents := map[string][]byte{}
		files, err := e.Files(ctx, set.Head)
		if err != nil {
			return nil, err
		}
		err = e.EachContent(ctx, set.Head, []diff.Sought{{Paths: files}}, -1, func(name string, content []byte) {
			visiting.Lock()
			defer visiting.Unlock()
			contents[name] = slices.Clone(content)
		})
		return asTexts(contents), err
	},
	"Links": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Links(ctx, set.Head, hiddenNames)
	},
	"Dates": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Dates(ctx, set.Base, set.Head)
	},
	"Files": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Files(ctx, set.Head)
	},
	"FilesIn": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.FilesIn(ctx, set.Head, ".tool")
	},
	"Search": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Search(ctx, set.Head, "needle", nil)
	},
	"Tree": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		tree, err := e.Tree(ctx, set.Head, "hidden", "also", "plain")
		if err != nil {
			return nil, err
		}
		contents := map[string][]byte{}
		err = fs.WalkDir(tree, "hidden", func(name string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && entry.Type().IsRegular() {
				contents[name], err = fs.ReadFile(tree, name)
			}
			return err
		})
		return asTexts(contents), err
	},
	"Messages": func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Messages(ctx, set.Base, set.Head)
	},
}

func detailFact(part diff.Part) func(context.Context, diff.Engine, diff.Changeset) (any, error) {
	return func(ctx context.Context, e diff.Engine, set diff.Changeset) (any, error) {
		return e.Details(ctx, set.Base, set.Head, set.Changes, []diff.Part{part})
	}
}

func asTexts(contents map[string][]byte) map[string]string {
	list := make(map[string]string, len(contents))
	for name, content := range contents {
		list[name] = string(content)
	}
	return list
}

// hiddenNames are the files of these repositories, and names of no file.
var hiddenNames = []string{
	"hidden/a", "hidden/b", "hidden/.tool/rule", "hidden/gone", "also/c", "plain/d", "ignored", "lib/f", "outside/a", "hidden", "none",
}

// hidings are the ways in which git can be kept from a file, with what a repository has in which
// nothing is hidden.
var hidings = []struct {
	name       string
	hide, open func(s *sandbox) *sandbox // open: nil: nothing
}{
	{name: "plain"},
	{name: "sparse cone", hide: after("sparse-checkout set --cone plain")},
	{name: "sparse patterns", hide: after("sparse-checkout set --no-cone /plain/ /also/")},
	{name: "sparse index", hide: after("sparse-checkout set --cone --sparse-index plain")},
	{name: "sparse, a hidden file written", hide: func(s *sandbox) *sandbox {
		after("sparse-checkout set --cone plain")(s)
		return then("hidden/a", "written needle\n")(s)
	}, open: then("hidden/a", "written needle\n")},
	{name: "sparse index, a hidden file written", hide: func(s *sandbox) *sandbox {
		after("sparse-checkout set --cone --sparse-index plain")(s)
		return then("hidden/a", "written needle\n")(s)
	}, open: then("hidden/a", "written needle\n")},
	{name: "sparse, files expected outside", hide: func(s *sandbox) *sandbox {
		after("config sparse.expectFilesOutsideOfPatterns true", "sparse-checkout set --cone plain")(s)
		return then("hidden/a", "written needle\n")(s)
	}, open: then("hidden/a", "written needle\n")},
	{name: "skip-worktree, absent", hide: func(s *sandbox) *sandbox {
		after("update-index --skip-worktree hidden/a hidden/b hidden/.tool/rule")(s)
		s.remove("hidden")
		return s
	}},
	{name: "skip-worktree, present with other content", hide: marked("--skip-worktree"), open: then("hidden/a", "other\n", "hidden/b", "needle\n")},
	{name: "assume-unchanged, changed", hide: marked("--assume-unchanged"), open: then("hidden/a", "other\n", "hidden/b", "needle\n")},
	{name: "assume-unchanged, deleted", hide: func(s *sandbox) *sandbox {
		after("update-index --assume-unchanged hidden/a")(s)
		s.remove("hidden/a")
		return s
	}, open: func(s *sandbox) *sandbox { s.remove("hidden/a"); return s }},
	{name: "marks in a split index", hide: func(s *sandbox) *sandbox {
		marked("--assume-unchanged")(s)
		return after("update-index --split-index")(s)
	}, open: then("hidden/a", "other\n", "hidden/b", "needle\n")},
	{name: "marks in an index of version 4", hide: func(s *sandbox) *sandbox {
		marked("--skip-worktree")(s)
		return after("update-index --index-version 4")(s)
	}, open: then("hidden/a", "other\n", "hidden/b", "needle\n")},
	{name: "a link in the place of the directory of a skipped file", hide: func(s *sandbox) *sandbox {
		after("update-index --skip-worktree hidden/a")(s)
		return linkedAway(s)
	}, open: linkedAway},
	{name: "a file in the place of the directory of a skipped file", hide: func(s *sandbox) *sandbox {
		after("update-index --skip-worktree hidden/a")(s)
		s.remove("hidden")
		return then("hidden", "needle\n")(s)
	}, open: func(s *sandbox) *sandbox {
		s.remove("hidden")
		return then("hidden", "needle\n")(s)
	}},
	{name: "ignored", hide: then(".git/info/exclude", "/ignored\n", "ignored", "needle\n")},
	{name: "linked working tree", hide: (*sandbox).linked},
	{name: "replace ref", hide: func(s *sandbox) *sandbox {
		s.git("replace", s.git("rev-parse", "HEAD:hidden/a"), s.git("rev-parse", "HEAD:plain/d"))
		return s
	}},
	{name: "graft", hide: func(s *sandbox) *sandbox { return then(".git/info/grafts", s.git("rev-parse", "HEAD")+"\n")(s) }},
	{name: "replaced tree", hide: func(s *sandbox) *sandbox {
		s.git("replace", s.git("rev-parse", "HEAD^{tree}"), s.git("rev-parse", "base^{tree}"))
		return s
	}},
}

// linkedAway replaces a directory by a link to one that is ignored.
func linkedAway(s *sandbox) *sandbox {
	s.remove("hidden")
	s.link("hidden", "outside")
	return then(".git/info/exclude", "/outside\n", "outside/a", "needle\n")(s)
}

// marked marks two files and changes them.
func marked(option string) func(s *sandbox) *sandbox {
	return func(s *sandbox) *sandbox {
		s.git("update-index", option, "hidden/a", "hidden/b")
		return then("hidden/a", "other\n", "hidden/b", "needle\n")(s)
	}
}

// TestOneHead compares every fact about every head, with every engine, of repositories in which
// something is hidden from git with the same one in which nothing is.
func TestOneHead(t *testing.T) {
	methods := reflect.TypeFor[diff.Engine]()
	for m := range methods.Methods() {
		about := false
		for in := range m.Type.Ins() {
			about = about || in == reflect.TypeFor[diff.Head]()
		}
		if !about || m.Name == "Details" {
			continue
		}
		if facts[m.Name] == nil {
			t.Errorf("%s asks about a head; want a row in facts", m.Name)
		}
	}
	for field := range reflect.TypeFor[diff.Detail]().Fields() {
		if field.Tag.Get("json") == "-" { // it comes with another part
			continue
		}
		part, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if facts["Details "+part] == nil {
			t.Errorf("the part %s of details has no row in facts", part)
		}
	}
	for _, h := range hidings {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			hidden, open := hiddenSandbox(t), hiddenSandbox(t)
			if h.hide != nil {
				hidden = h.hide(hidden)
			}
			if h.open != nil {
				open = h.open(open)
			}
			for _, kind := range heads {
				want := factsOf(t, engines[0], open, kind)
				for _, e := range engines {
					got := factsOf(t, e, hidden, kind)
					for name := range facts {
						if got[name] == nil && e.name != engines[0].name {
							continue // refused
						}
						if d := cmp.Diff(want[name], got[name]); d != "" {
							t.Errorf("%s of the %s, %s engine: want(-) got(+)\n%s", name, kind, e.name, d)
						}
					}
				}
			}
		})
	}
}

// hiddenSandbox has a base and a commit that changes each of its files.
func hiddenSandbox(t *testing.T) *sandbox {
	t.Helper()
	s := newSandbox(t)
	for _, name := range []string{"hidden/a", "hidden/b", "hidden/.tool/rule", "hidden/gone", "also/c", "plain/d"} {
		s.write(name, "base of "+name+"\n")
	}
	s.commit("base")
	s.git("tag", "base")
	for _, name := range []string{"hidden/a", "hidden/.tool/rule", "also/c", "plain/d"} {
		s.write(name, strings.Repeat("needle of "+name+"\n", 3))
	}
	s.remove("hidden/gone")
	s.commit("topic")
	return s
}

// factsOf are an engine's answers; a refused one is nil.
func factsOf(t *testing.T, of struct {
	name string
	open func(failer, *sandbox) (diff.Engine, error)
}, s *sandbox, kind diff.HeadKind,
) map[string]any {
	t.Helper()
	engine, err := of.open(t, s)
	if err != nil {
		if refused(err) {
			return nil
		}
		t.Fatalf("%s: %v", of.name, err)
	}
	q := question{base: diff.BaseRequest{ID: diff.From, Ref: "base"}, commit: "HEAD"}
	r := q.put(t, engine, kind)
	if refused(r.err) {
		return nil
	}
	if r.err != nil {
		t.Fatalf("%s: %s: %v", of.name, kind, r.err)
	}
	answers := map[string]any{}
	for name, ask := range facts {
		answer, err := ask(t.Context(), engine, r.set)
		if refused(err) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %s of the %s: %v", of.name, name, kind, err)
			continue
		}
		answers[name] = answer
	}
	return answers
}
