package diff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// begin makes the base, which has a tag, and one commit.
func (s *sandbox) begin() {
	s.t.Helper()
	for _, name := range []string{
		"edit", "moved", "gone", "dir/both", "dir/committed", "dir/old", "dir/staged", "dir/ü", "dir/unindexed", "out/stays",
	} {
		s.write(name, text(name, 20))
	}
	for _, name := range []string{"exec", "turned", "dir/dropped", "dir/eol.txt", "dir/a.up"} {
		s.write(name, "1\n")
	}
	s.write("bin", "\x00\x01")
	s.link("link", "edit")
	s.commit("base")
	s.git("tag", "base")
	s.write("dir/committed", text("dir/committed", 19))
	s.move("dir/old", "dir/new")
	s.write("dir/new", text("dir/old", 20)+"one more\n")
	s.write("dir/added", "1\n")
	s.remove("dir/dropped")
	s.commit("work")
}

// typical is a working day.
func (s *sandbox) typical() {
	s.t.Helper()
	s.write("dir/staged", text("dir/staged", 19))
	s.write("dir/both", text("dir/both", 19))
	s.write("dir/fresh", "1\n")
	s.git("add", "dir/staged", "dir/both", "dir/fresh")
	s.write("dir/both", text("dir/both", 18))
	s.git("rm", "-q", "--cached", "dir/unindexed")
	s.write("edit", text("edit", 19))
	s.write("dir/ü", text("dir/ü", 19))
	s.write("bin", "\x00\x02")
	s.remove("gone")
	s.move("moved", "dir/moved")
	s.write("dir/moved", text("moved", 15)+"five\nothers\n")
	s.chmod("exec", true)
	s.remove("turned")
	s.link("turned", "edit")
	s.remove("link")
	s.link("link", "bin")
	s.write(".gitignore", "*.log\n!kept.log\n")
	s.write("dir/ignored.log", "1\n")
	s.write("dir/kept.log", "1\n")
	s.write("untracked", "1\n")
}

// shapes are the repositories that are tried.
var shapes = slices.Concat(places, stores, indexes, contents, moments, configured)

// after is a build of git commands alone.
func after(commands ...string) func(s *sandbox) *sandbox {
	return func(s *sandbox) *sandbox {
		s.t.Helper()
		for _, command := range commands {
			s.git(strings.Fields(command)...)
		}
		return s
	}
}

// then is a build of files.
func then(files ...string) func(s *sandbox) *sandbox {
	return func(s *sandbox) *sandbox {
		s.t.Helper()
		for i := 0; i < len(files); i += 2 {
			s.write(files[i], files[i+1])
		}
		return s
	}
}

// also are the typical changes and more.
func also(more func(s *sandbox)) func(s *sandbox) {
	return func(s *sandbox) {
		s.t.Helper()
		s.typical()
		more(s)
	}
}

// sinceHEAD is for what only the last commit has.
var sinceHEAD = diff.BaseRequest{ID: diff.From, Ref: "HEAD"}

// nothing changes.
func nothing(*sandbox) {}

// cloned makes a clone next to the repository and goes there.
func (s *sandbox) cloned(options ...string) *sandbox {
	s.t.Helper()
	clone := s.at("../clone")
	s.git(append(append([]string{"clone", "-q"}, options...), "file://"+s.dir, clone.dir)...)
	return clone
}

// linked adds a working tree next to the repository and goes there.
func (s *sandbox) linked() *sandbox {
	s.t.Helper()
	s.git("worktree", "add", "-q", "-b", "linked", "../linked")
	return s.at("../linked")
}

var places = []shape{
	{name: "plain"},
	{name: "asked from a subdirectory", from: "dir"},
	{name: "separate git directory (.git is a file)", build: func(s *sandbox) *sandbox {
		s.move(".git", "../separate.git")
		s.write(".git", "gitdir: ../separate.git\n")
		return s
	}},
	{name: "bare", work: nothing, build: func(s *sandbox) *sandbox { return s.cloned("--bare") }},
	{name: "working tree of a bare repository", build: func(s *sandbox) *sandbox { return s.cloned("--bare").linked() }},
	{name: "linked working tree", build: (*sandbox).linked},
	{name: "linked working tree, extensions.worktreeConfig", build: func(s *sandbox) *sandbox {
		s.git("config", "extensions.worktreeConfig", "true")
		linked := s.linked()
		linked.git("config", "--worktree", "core.fileMode", "false")
		return linked
	}},
	{name: "linked working tree, relative paths", build: func(s *sandbox) *sandbox {
		linked := s.linked()
		linked.write(".git", "gitdir: ../repo/.git/worktrees/linked\n")
		return linked
	}},
	{name: "linked working tree, extensions.relativeWorktrees", since: "2.48", build: func(s *sandbox) *sandbox {
		s.git("config", "worktree.useRelativePaths", "true")
		return s.linked()
	}},
	{name: "core.worktree", build: func(s *sandbox) *sandbox {
		s.git("config", "core.worktree", "../../elsewhere")
		s.at("..").move("repo/.git", "git/.git")
		s.at("..").move("repo", "elsewhere")
		elsewhere := s.at("../elsewhere")
		elsewhere.write(".git", "gitdir: ../git/.git\n")
		return elsewhere
	}},
	{name: "GIT_DIR and GIT_WORK_TREE", build: func(s *sandbox) *sandbox {
		s.move(".git", "../git")
		return s.at(".", "GIT_DIR="+s.path("../git"), "GIT_WORK_TREE="+s.dir)
	}},
	{name: "GIT_INDEX_FILE", build: func(s *sandbox) *sandbox {
		other := s.at(".", "GIT_INDEX_FILE="+s.path(".git/other"))
		other.git("read-tree", "HEAD")
		return other
	}},
	{name: "owned by another user (safe.directory)", work: nothing, unanswered: true, env: "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"},
	{name: "an extension that git does not know", work: nothing, unanswered: true, build: func(s *sandbox) *sandbox {
		s.git("config", "core.repositoryFormatVersion", "1")
		s.git("config", "extensions.noSuchThing", "true")
		return s
	}},
}

var stores = []shape{
	{name: "sha256", init: []string{"--object-format=sha256"}},
	{name: "reftable", since: "2.45", init: []string{"--ref-format=reftable"}},
	{name: "packed objects and refs", build: after("gc -q")},
	{name: "multi-pack index, bitmap and commit graph", build: after("repack -adq", "multi-pack-index write", "commit-graph write --reachable")},
	{name: "alternates, absolute (clone --shared)", build: func(s *sandbox) *sandbox {
		clone := s.at("../clone")
		s.git("clone", "-q", "--shared", ".", clone.dir)
		return clone
	}},
	{name: "alternates, relative", build: func(s *sandbox) *sandbox {
		clone := s.at("../clone")
		s.git("clone", "-q", "--shared", ".", clone.dir)
		clone.write(".git/objects/info/alternates", "../../../repo/.git/objects\n")
		return clone
	}},
	{name: "partial clone (blob:none)", build: func(s *sandbox) *sandbox {
		s.git("config", "uploadpack.allowFilter", "true")
		s.git("config", "uploadpack.allowAnySHA1InWant", "true")
		return s.cloned("--filter=blob:none")
	}},
	{
		name: "partial clone (blob:none), nothing needed that is missing", base: sinceHEAD,
		build: func(s *sandbox) *sandbox {
			s.git("config", "uploadpack.allowFilter", "true")
			return s.cloned("--filter=blob:none")
		},
	},
	{
		name: "shallow", base: diff.BaseRequest{ID: diff.From, Ref: "HEAD~1"},
		build: func(s *sandbox) *sandbox { return s.cloned("--depth=2") },
	},
	{name: "shallow, the merge base cut off", base: diff.BaseRequest{ID: diff.MergeBase}, build: func(s *sandbox) *sandbox {
		s.git("checkout", "-q", "-b", "topic", "base")
		s.write("other", "1\n")
		s.commit("topic")
		s.git("checkout", "-q", "main")
		clone := s.cloned("--depth=1", "--no-single-branch")
		clone.git("checkout", "-q", "topic")
		return clone
	}},
	{name: "replace refs", build: func(s *sandbox) *sandbox {
		s.git("replace", s.git("rev-parse", "base:edit"), s.git("rev-parse", "base:exec"))
		return s
	}},
	{name: "replaced commit (graft)", base: diff.BaseRequest{ID: diff.From, Ref: "HEAD~1"}, build: func(s *sandbox) *sandbox {
		s.write("later", "1\n")
		s.commit("later")
		s.git("replace", "--graft", "HEAD", "base")
		return s
	}},
}

var indexes = []shape{
	{name: "index version 4", build: after("config index.version 4", "update-index --index-version 4")},
	{name: "split index", build: after("config core.splitIndex true", "update-index --split-index")},
	{name: "index.skipHash", work: also(func(s *sandbox) {
		// As git writes it since 2.40.
		index := []byte(s.read(".git/index"))
		s.overwrite(".git/index", string(append(index[:len(index)-20], make([]byte, 20)...)))
	})},
	{name: "untracked cache", build: after("config core.untrackedCache true", "update-index --force-untracked-cache", "status")},
	{name: "fsmonitor (hook)", build: func(s *sandbox) *sandbox {
		s.write(".git/fsmonitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n") // everything may have changed
		s.chmod(".git/fsmonitor", true)
		s.git("config", "core.fsmonitor", ".git/fsmonitor")
		s.git("update-index", "--fsmonitor")
		return s
	}},
	{
		name: "sparse checkout, cone", build: after("sparse-checkout set --cone dir"),
		work: also(func(s *sandbox) { s.write("out/new", "1\n") }),
	},
	{
		name: "sparse checkout, no cone", build: func(s *sandbox) *sandbox {
			s.git("sparse-checkout", "set", "--no-cone", "/*", "!/out/")
			return s
		},
		work: also(func(s *sandbox) { s.write("out/new", "1\n") }),
	},
	{
		name: "sparse checkout and sparse index", build: after("sparse-checkout set --cone --sparse-index dir"),
		work: also(func(s *sandbox) { s.write("out/new", "1\n") }),
	},
	{name: "intent-to-add", work: also(func(s *sandbox) {
		s.write("intended", "1\n")
		s.git("add", "-N", "intended", "untracked", "dir/moved")
	})},
	{name: "assume-unchanged", build: after("update-index --assume-unchanged edit gone")},
	{name: "skip-worktree", build: after("update-index --skip-worktree edit gone")},
	{name: "racy index (edit with size and times kept)", build: after("config core.trustctime false"), work: also(func(s *sandbox) {
		at := time.Unix(1.6e9, 0)
		back := func(name string) {
			if err := os.Chtimes(s.path(name), at, at); err != nil {
				s.t.Fatalf("%v", err)
			}
		}
		back("dir/a.up")
		s.git("update-index", "dir/a.up")
		s.write("dir/a.up", "2\n")
		back("dir/a.up")
		back(".git/index")
	})},
	{name: "no index file", work: func(s *sandbox) { s.remove(".git/index") }},
}

var contents = []shape{
	{name: "submodule, clean", base: sinceHEAD, build: submodule},
	{name: "submodule, dirty", base: sinceHEAD, build: submodule, work: also(func(s *sandbox) { s.write("lib/f", "2\n") })},
	{name: "submodule, untracked file in it", base: sinceHEAD, build: submodule, work: also(func(s *sandbox) { s.write("lib/new", "2\n") })},
	{name: "submodule, new commit", base: sinceHEAD, build: submodule, work: also(func(s *sandbox) {
		s.write("lib/f", "2\n")
		s.at("lib").commit("two")
	})},
	{name: "submodule, not checked out", base: sinceHEAD, build: func(s *sandbox) *sandbox { return submodule(s).cloned() }},
	{name: "submodule, out of the index", base: sinceHEAD, build: submodule, work: also(func(s *sandbox) {
		s.git("rm", "-q", "--cached", "lib")
	})},
	{name: "submodule, hidden by .gitmodules", base: sinceHEAD, build: submodule, work: also(func(s *sandbox) {
		s.git("config", "-f", ".gitmodules", "submodule.lib.ignore", "all")
		s.git("add", ".gitmodules")
		s.write("lib/f", "2\n")
	})},
	{
		name: "submodule in a submodule, dirty", base: sinceHEAD, build: submodules,
		work: also(func(s *sandbox) { s.write("lib/lib/f", "2\n") }),
	},
	{name: "submodule in a submodule, diff.ignoreSubmodules=all", base: sinceHEAD, build: submodules, work: also(func(s *sandbox) {
		s.write("lib/lib/f", "2\n")
		s.git("config", "--global", "diff.ignoreSubmodules", "all")
	})},
	{name: "repository within, untracked", work: also(func(s *sandbox) { s.nested("lib") })},
	{name: "filter (clean and smudge)", build: filtered("up", "sed s/1/one/", "sed s/one/1/", "dir/*.up filter=up")},
	{name: "filter whose program is missing, required", build: func(s *sandbox) *sandbox {
		s.git("config", "filter.up.clean", "no-such-program")
		s.git("config", "filter.up.required", "true")
		s.write(".gitattributes", "*.never filter=up\n")
		return s
	}},
	{name: "LFS (pointers by filter.lfs)", build: filtered("lfs",
		"sed -e '1s/^/version https:\\/\\/git-lfs.github.com\\/spec\\/v1 /'", "sed -e '1s/^version [^ ]* //'",
		"*.up filter=lfs diff=lfs merge=lfs -text")},
	{name: "core.autocrlf=true", build: after("config core.autocrlf true"), work: also(crlf)},
	{name: "core.autocrlf=input", build: after("config core.autocrlf input"), work: also(crlf)},
	{name: "eol attributes", build: then(".gitattributes", "*.txt text eol=crlf\ndir/staged text=auto\n"), work: also(crlf)},
	{name: "attributes in info/attributes", build: then(".git/info/attributes", "*.txt text eol=crlf\n"), work: also(crlf)},
	{name: "ident attribute", build: func(s *sandbox) *sandbox {
		s.write(".gitattributes", "dir/id ident\n")
		s.write("dir/id", "$Id$\n")
		s.commit("ident")
		s.remove("dir/id")
		s.git("checkout", "dir/id") // expanded
		return s
	}},
	{name: "working-tree-encoding attribute", build: func(s *sandbox) *sandbox {
		s.write(".gitattributes", "dir/wide working-tree-encoding=UTF-16LE\n")
		s.write("dir/wide", "1\x00\n\x00")
		s.commit("wide")
		return s
	}},
	{name: "core.fileMode=false", build: after("config core.fileMode false"), work: also(func(s *sandbox) {
		s.write("new executable", "1\n")
		s.chmod("new executable", true)
	})},
	{name: "core.symlinks=false", build: after("config core.symlinks false"), work: also(func(s *sandbox) {
		s.remove("link")
		s.write("link", "edit")
	})},
	{name: "core.ignoreCase=true", build: after("config core.ignoreCase true"), work: also(func(s *sandbox) { s.write("IGNORED.LOG", "1\n") })},
	{name: "core.excludesFile", build: func(s *sandbox) *sandbox {
		s.write("../excludes", "untracked\n/dir/f*\n!fresh\n")
		s.git("config", "core.excludesFile", s.path("../excludes"))
		return s
	}},
	{name: "info/exclude", build: then(".git/info/exclude", "untracked\ndir/moved\n")},
	{name: "nested .gitignore with negation", work: also(func(s *sandbox) {
		s.write("dir/.gitignore", "*\n!moved\n!sub/\n")
		s.write("dir/sub/.gitignore", "!deep\n")
		s.write("dir/sub/deep", "1\n")
		s.write("dir/sub/not", "1\n")
	})},
}

var moments = []shape{
	{name: "unborn HEAD", base: diff.BaseRequest{ID: diff.MergeBase}, build: after("symbolic-ref HEAD refs/heads/new"), work: func(s *sandbox) {
		s.git("rm", "-q", "--cached", "edit", "moved")
		s.git("branch", "-D", "main")
	}},
	{name: "detached HEAD", build: after("checkout -q --detach")},
	{name: "conflicts (UU, DU)", build: func(s *sandbox) *sandbox {
		diverge(s)
		if _, err := s.try("merge", "-q", "other"); err == nil {
			s.t.Fatalf("the merge has no conflict")
		}
		return s
	}, work: func(s *sandbox) { s.write("untracked", "1\n") }},
	{name: "merge in progress", base: diff.BaseRequest{ID: diff.MergeBase}, build: func(s *sandbox) *sandbox {
		diverge(s)
		_, _ = s.try("merge", "-q", "other")
		s.git("add", "-A")
		return s
	}},
	{name: "rebase in progress", build: func(s *sandbox) *sandbox {
		diverge(s)
		_, _ = s.try("rebase", "-q", "other")
		s.git("add", "-A")
		return s
	}},
}

// diverge makes a branch other that is at odds with the one checked out.
func diverge(s *sandbox) {
	s.t.Helper()
	s.git("checkout", "-q", "-b", "other")
	s.write("bin", "theirs\n")
	s.write("exec", "theirs\n")
	s.write("from other", "1\n")
	s.commit("theirs")
	s.git("checkout", "-q", "main")
	s.write("bin", "ours\n")
	s.remove("exec")
	s.commit("ours")
	s.write("exec", "ours\n")
	s.commit("again")
}

// configured are settings of a user, for their own eyes, asked from a subdirectory;
// a second time with a submodule, in which git asks itself.
var configured = func() (rows []shape) {
	for _, setting := range []string{
		"diff.relative=true", "diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.external=false", "diff.renames=false",
		"diff.renames=copies", "diff.renameLimit=2", "color.ui=always", "core.quotePath=true", "diff.orderFile=/nonexistent",
		"diff.ignoreSubmodules=all", "status.showUntrackedFiles=no",
	} {
		key, value, _ := strings.Cut(setting, "=")
		work := also(func(s *sandbox) { s.git("config", "--global", key, value) })
		rows = append(rows, shape{name: "user's " + setting, from: "dir", work: work})
		if strings.HasPrefix(key, "diff.o") || strings.HasPrefix(key, "diff.i") || strings.HasPrefix(key, "status") {
			rows = append(rows, shape{
				name: "user's " + setting + ", untracked file in a submodule", from: "dir", base: sinceHEAD, build: submodule,
				work: func(s *sandbox) {
					work(s)
					s.write("lib/untracked", "1\n")
				},
			})
		}
	}
	return rows
}()

// submodule adds one, checked out at lib.
func submodule(s *sandbox) *sandbox {
	s.t.Helper()
	s.nested("../lib")
	s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.path("../lib"), "lib")
	s.commit("submodule")
	return s
}

// submodules adds one that has one.
func submodules(s *sandbox) *sandbox {
	s.t.Helper()
	submodule(s)
	submodule(s.at("lib"))
	s.commit("submodule of the submodule")
	return s
}

// nested makes a repository of one commit.
func (s *sandbox) nested(dir string) {
	s.t.Helper()
	s.write(filepath.Join(dir, "f"), "1\n")
	n := s.at(dir)
	n.git("init", "-q", "-b", "main")
	n.commit("nested")
}

// filtered sets up a filter whose files are checked out, with one that differs only
// in what the filter takes away and one that is changed.
func filtered(name, clean, smudge, attributes string) func(s *sandbox) *sandbox {
	return func(s *sandbox) *sandbox {
		s.t.Helper()
		s.git("config", "filter."+name+".clean", clean)
		s.git("config", "filter."+name+".smudge", smudge)
		s.write(".gitattributes", attributes+"\n")
		s.write("dir/b.up", "1\nsame\n")
		s.write("dir/c.up", "1\nother\n")
		s.commit("filtered")
		s.remove("dir/b.up")
		s.git("checkout", "dir/b.up")
		s.write("dir/c.up", "1\nanother\n")
		return s
	}
}

// crlf is one file that changes its line ends alone, and one that changes more.
func crlf(s *sandbox) {
	s.t.Helper()
	s.write("dir/eol.txt", "1\r\n")
	s.write("dir/staged", strings.ReplaceAll(text("dir/staged", 19), "\n", "\r\n"))
	s.write("dir/new.txt", "1\r\n2\r\n")
}

// overwrite replaces the content of a file and keeps its times.
func (s *sandbox) overwrite(name, content string) {
	s.t.Helper()
	info, err := os.Stat(s.path(name))
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	s.write(name, content)
	if err := os.Chtimes(s.path(name), info.ModTime(), info.ModTime()); err != nil {
		s.t.Fatalf("%v", err)
	}
}
