package diff_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// answer returns the native engine's changes of the working tree since HEAD.
func (s *sandbox) answerEmbedded() ([]string, error) {
	s.t.Helper()
	e, err := engines[1].open(s.t, s)
	if err != nil {
		return nil, err
	}
	head, err := e.Head(s.t.Context(), diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	set, err := e.Changes(s.t.Context(), diff.Base{Commit: head.Commit}, head)
	return brief(set.Changes), err
}

// TestEmbeddedRefuses: shapes that may be answered otherwise than by git are refused,
// by its name.
func TestEmbeddedRefuses(t *testing.T) {
	write := func(name, content string) func(*sandbox) {
		return func(s *sandbox) { s.write(name, content) }
	}
	config := func(key, value string) func(*sandbox) {
		return func(s *sandbox) { s.git("config", key, value) }
	}
	for _, tt := range []struct {
		name, shape string
		make        func(s *sandbox)
		env         string
	}{
		{"another object directory", "the environment variable GIT_OBJECT_DIRECTORY", nil, "GIT_OBJECT_DIRECTORY=objects"},
		{"configuration from a git -c", "the environment variable GIT_CONFIG_PARAMETERS", nil, "GIT_CONFIG_PARAMETERS='a.b'='c'"},
		{"include", "a configuration that includes files (include.path)", config("include.path", "other"), ""},
		{
			"user's includeIf", "a configuration that includes files (includeif.gitdir:/x.path)",
			write("../home/.gitconfig", "[includeIf \"gitdir:/x\"]\n\tpath = y\n"), "",
		},
		{"format 2", `a repository of format "2"`, config("core.repositoryFormatVersion", "2"), ""},
		{"attributes from a tree", "a repository with attr.tree", config("attr.tree", "HEAD"), ""},
		{"alternates that are gone", "an alternate object directory that is gone", write(".git/objects/info/alternates", "../../none/objects\n"), ""},
		{"alternates by another name", "an alternate object directory", func(s *sandbox) {
			s.write("../store/pack/.keep", "")
			s.write(".git/objects/info/alternates", s.path("../store")+"\n")
		}, ""},
		{"quoted alternates", "an alternate object directory", write(".git/objects/info/alternates", "\"a\\n\"\n"), ""},
		{"promisor pack", "a partial clone", write(".git/objects/pack/pack-1.promisor", ""), ""},
		{"index of version 9", "an index of version 9", func(s *sandbox) {
			s.write(".git/index", "DIRC\x00\x00\x00\x09\x00\x00\x00\x00"+strings.Repeat("\x00", 20))
		}, ""},
		{"index with an unknown extension", `an index with the extension "odd!"`, func(s *sandbox) {
			s.write(".git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x00odd!\x00\x00\x00\x00"+strings.Repeat("\x00", 20))
		}, ""},
		{"ignore file that is a link", `".gitignore", which is not a regular file,`, func(s *sandbox) { s.link(".gitignore", "a") }, ""},
		{"pattern that gits read differently", "the ignore pattern x/a**/b", write(".gitignore", "x/a**/b\n"), ""},
		{"relative ignore file", "core.excludesfile = ignores", config("core.excludesFile", "ignores"), ""},
		{"a pipe in the place of a file", "a special file in the place of a", func(s *sandbox) {
			s.remove("a")
			if err := syscall.Mkfifo(s.path("a"), 0o600); err != nil {
				s.t.Fatalf("%v", err)
			}
		}, ""},
		{"a repository in the place of a file", "a repository in the place of a file (a)", func(s *sandbox) {
			s.remove("a")
			s.write("a/f", "1\n")
			s.at("a").git("init", "-q")
		}, ""},
		{"a name git keeps for itself", "an untracked file with a name that git reserves (GIT~1)", write("GIT~1", "1\n"), ""},
		{"precomposed Unicode", "a working tree with core.precomposeunicode", config("core.precomposeUnicode", "true"), ""},
		{"filter by the user's attributes", "the attribute filter", write("../home/git/attributes", "# all\n\n* -text filter=x\n"), ""},
		{"ident in a directory", "the attribute ident", write("dir/.gitattributes", "*.c ident\n"), ""},
		{"line ends by a macro", "a file whose line ends git may convert (a)", func(s *sandbox) {
			s.write(".git/info/attributes", "[attr]dos text eol=crlf\n")
			s.write("a", "1\r\n")
		}, ""},
		{"text that an attribute calls binary", "a file with CRLF line ends that an attribute may declare binary", func(s *sandbox) {
			s.write(".gitattributes", "*.x -diff\n")
			s.remove("a")
			s.write("c", strings.ReplaceAll(text("a", 9), "\n", "\r\n"))
		}, ""},
		{"a rename that depends on git's version", `a rename of "c" on which versions of git disagree`, func(s *sandbox) {
			s.write("a", text("a", 1)+strings.Repeat("no end ", 9))
			s.git("commit", "-qam", "no end")
			s.remove("a")
			s.write("c", text("b", 1)+strings.Repeat("no end ", 9))
		}, ""},
		{"an edit within a second", "a file that changed within the second of its recorded time (a)", func(s *sandbox) {
			s.git("config", "core.trustctime", "false")
			at := time.Unix(1.6e9, 100)
			if err := os.Chtimes(s.path("a"), at, at); err != nil {
				s.t.Fatalf("%v", err)
			}
			s.git("update-index", "--refresh")
			s.write("a", strings.Replace(text("a", 9), "line", "LINE", 1))
			if err := os.Chtimes(s.path("a"), at, at.Add(1)); err != nil {
				s.t.Fatalf("%v", err)
			}
		}, ""},
		{"an empty ref", "an empty ref HEAD", write(".git/HEAD", ""), ""},
		{"a broken ref", "a broken ref refs/heads/main", write(".git/refs/heads/main", "no id\n"), ""},
		{"a circle of refs", "a chain of symbolic refs", write(".git/refs/heads/main", "ref: refs/heads/main\n"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			s.t = t
			s.write("a", text("a", 9))
			s.write("dir/b", "1\n")
			s.commit("base")
			if tt.make != nil {
				tt.make(s)
			}
			if tt.env != "" {
				s = s.at(".", tt.env)
			}
			got, err := s.answerEmbedded()
			if !refused(err) || !strings.Contains(err.Error(), tt.shape) {
				t.Errorf("got %q, error %v; want a refusal of %s", got, err, tt.shape)
			}
		})
	}
}

// TestEmbeddedFails: what is broken is an error, and not the engine's limit.
func TestEmbeddedFails(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		make       func(s *sandbox)
		env        string
	}{
		{"no repository", "not a git repository", func(s *sandbox) { s.remove(".git") }, ""},
		{"GIT_DIR that is none", `GIT_DIR is "dir", which is not a git repository`, nil, "GIT_DIR=dir"},
		{".git that is no repository", "does not name a git repository", func(s *sandbox) {
			s.remove(".git")
			s.write(".git", "gitdir: nowhere\n")
		}, ""},
		{"a damaged index", "its checksum is wrong", func(s *sandbox) {
			s.write(".git/index", strings.Replace(s.read(".git/index"), "dir/b", "dir/c", 1))
		}, ""},
		{"a truncated index", "want one that starts with DIRC", func(s *sandbox) { s.write(".git/index", "DIRC") }, ""},
		{"an assignment without =", `no = after "colour"`, func(s *sandbox) { s.write("../home/.gitconfig", "[a]\n\tcolour red\n") }, ""},
		{"no assignment", `"!" is not an assignment`, func(s *sandbox) { s.write("../home/.gitconfig", "[a]\n!\n") }, ""},
		{"an open section", "a section is not closed", func(s *sandbox) { s.write("../home/.gitconfig", "[a \"b\n") }, ""},
		{"an open quote", "a quote is not closed", func(s *sandbox) { s.write("../home/.gitconfig", "[a]\nb = \"c\n") }, ""},
		{"an unknown escape", `\x is not an escape`, func(s *sandbox) { s.write("../home/.gitconfig", "[a]\nb = \\x\n") }, ""},
		{"no section", `"b" is before the first section`, func(s *sandbox) { s.write("../home/.gitconfig", "b = c\n") }, ""},
		{"a bad number of variables", `GIT_CONFIG_COUNT is "many"`, nil, "GIT_CONFIG_COUNT=many"},
		{"a variable without a section", `GIT_CONFIG_KEY_0 is ""`, nil, "GIT_CONFIG_COUNT=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			s.t = t
			s.write("dir/b", "1\n")
			s.commit("base")
			if tt.make != nil {
				tt.make(s)
			}
			if tt.env != "" {
				s = s.at(".", tt.env)
			}
			got, err := s.answerEmbedded()
			if err == nil || refused(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, error %v; want one with %s", got, err, tt.want)
			}
		})
	}
}

// TestEmbeddedConfiguration reads the same values as git from every source and in
// every spelling: the files they ignore differ.
func TestEmbeddedConfiguration(t *testing.T) {
	home := "[core]\n\texcludesFile = "
	for _, tt := range []struct{ name, file, text, env string }{
		{"plain", "../home/.gitconfig", home + "~/ignore\n", ""},
		{"XDG", "../home/git/config", home + "~/ignore\n", ""},
		{"repository", ".git/config", home + "~/ignore\n", ""},
		{"by GIT_CONFIG_GLOBAL", "../home/other", home + "~/ignore\n", "GIT_CONFIG_GLOBAL=HOME/other"},
		{"by GIT_CONFIG_SYSTEM", "../home/other", home + "~/ignore\n", "GIT_CONFIG_NOSYSTEM=0 GIT_CONFIG_SYSTEM=HOME/other"},
		{"by the environment", "", "", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=Core.ExcludesFile GIT_CONFIG_VALUE_0=~/ignore"},
		{"of this working tree", ".git/config.worktree", home + "~/ignore\n", ""},
		{"the last counts", "../home/.gitconfig", home + "~/none\n[other]\nexcludesfile = x\n[CORE]\nEXCLUDESFILE=~/ignore", ""},
		{"comments", "../home/.gitconfig", "# core\n; core\n[core] excludesFile = ~/ignore # not this\n", ""},
		{"quoted", "../home/.gitconfig", home + "\"~/ig\"nore ; not this\n", ""},
		{"quoted comment", "../home/.gitconfig", home + "\"~/ignore # not this\"\n", ""},
		{"escapes", "../home/.gitconfig", home + "~/ig\\\nnore\n", ""},
		{"byte order mark and CRLF", "../home/.gitconfig", "\xef\xbb\xbf[core]\r\n\texcludesFile = ~/ignore\r\n", ""},
		{"empty", "../home/.gitconfig", home + "\n", ""},
		{"a subsection of the name", "../home/.gitconfig", "[core \"x \\\" ]\"]\n\texcludesFile = ~/ignore\n", ""},
		{"an old subsection", "../home/.gitconfig", "[core.x]\n\texcludesFile = ~/ignore\n", ""},
		{"without a value", "../home/.gitconfig", "[core]\n\tfileMode\n\tsymlinks=1\n\tignoreCase = no\n\texcludesFile = ~/ignore\n", ""},
		{"the modes do not count", ".git/config", "[core]\n\tfileMode = 0\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			s.t = t
			s.write("tool", "1\n")
			s.commit("base")
			s.git("config", "extensions.worktreeConfig", "true")
			s.write("../home/ignore", "ignored\n")
			s.write("ignored", "1\n")
			s.chmod("tool", true)
			if tt.file == ".git/config" {
				s.write(tt.file, s.read(tt.file)+tt.text)
			} else if tt.file != "" {
				s.write(tt.file, tt.text)
			}
			env := strings.Fields(strings.ReplaceAll(tt.env, "HOME", s.path("../home")))
			s = s.at(".", env...)
			got, err := s.answerEmbedded()
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, s.changes(diff.Worktree, "HEAD"))
		})
	}
}
