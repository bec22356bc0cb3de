package git

import "testing"

// TestSkips divides what git prints while it answers: what it did not read, and the rest.
func TestSkips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stderr         string
		answers, fails bool // whether it is about a part of the answer, of a git that succeeds or fails
	}{
		{"warning: could not open directory 'src/': Permission denied", true, true},
		{"src/a.py: Permission denied", true, true},
		{"warning: unable to access 'src/.gitattributes': Permission denied", true, true},
		{"warning: unable to access '/x/.git/info/exclude': Permission denied", true, true},
		{"warning: could not open directory 'x/': Input/output error", true, true},
		{"warning: could not open directory 'x/': File name too long", true, true},
		{"error: failed to stat 'src/a.py': Permission denied", true, false},
		{"error: external filter 'none' failed 127", true, false},
		{"error: open(\"x\"): No such file or directory", true, false},
		{"error: failed to stat 'dir/a': Not a directory", false, false},
		{"fatal: cannot hash src/a.py", true, false},
		{"error: pathspec ':/' did not match any file(s) known to git", true, false},
		{"Did you forget to 'git add'?", false, false},
		{"warning: unable to access '/root/.config/git/attributes': Permission denied", false, false},
		{"warning: unable to access '.gitignore': Too many levels of symbolic links", false, false},
		{"warning: in the working copy of 'a', LF will be replaced by CRLF the next time Git touches it", false, false},
		{"warning: exhaustive rename detection was skipped due to too many files.", false, false},
		{"warning: refname 'main' is ambiguous.", false, false},
		{"warning: ignoring broken ref refs/heads/x", false, false},
		{"hint: Support for <GIT_DIR>/info/grafts is deprecated", false, false},
		{"12:00:00.000000 trace: built-in: git diff", false, false},
		{"a filter says: all is well", false, false},
		{"x: No such file or directory", false, false},
		{"", false, false},
	} {
		for failed, want := range map[bool]bool{false: tt.answers, true: tt.fails} {
			if got := incomplete(nil, []byte(tt.stderr+"\n"), failed) != nil; got != want {
				t.Errorf("%q, failed %v: incomplete is %v, want %v", tt.stderr, failed, got, want)
			}
		}
	}
	both := incomplete([]string{"ls-files", "-o"}, []byte("warning: could not open directory 'new/': Permission denied\nerror: pathspec ':/' did not match any file(s) known to git\n"), true)
	const want = "git ls-files -o: the answer is not whole: warning: could not open directory 'new/': Permission denied; make it readable, or run rulecheck as a user who can read it"
	if both == nil || both.Error() != want {
		t.Errorf("%v, want %s", both, want)
	}
}
