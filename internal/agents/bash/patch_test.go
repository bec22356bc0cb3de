package bash_test

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
)

const patchText = "*** Begin Patch\n*** Add File: src/a.go\n+x\n*** Update File: src/b.go\n*** Move to: src/c.go\n*** Delete File: d.go\n*** End Patch\n"

// TestApplyPatch reads the patches that Codex applies in its shell.
func TestApplyPatch(t *testing.T) {
	all := []string{"d.go", "src/a.go", "src/b.go", "src/c.go"}
	cases := []struct {
		line  string
		files []string // that are written
		whole bool     // nothing is hidden
	}{
		{"apply_patch <<'EOF'\n" + patchText + "EOF\n", all, true},
		{"apply_patch '" + patchText + "'", all, true},
		{"bash -lc \"apply_patch <<'EOF'\n" + patchText + "EOF\n\"", all, true},
		{"cat <<'EOF' | applypatch\n" + patchText + "EOF\n", all, true},
		{"cd src && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.go\n+x\n*** End Patch\nEOF\n", []string{"src/a.go"}, true},
		{"apply_patch < change.patch", nil, false},
		{"apply_patch \"$(make patch)\"", nil, false},
		{"apply_patch", nil, false},
	}
	for _, c := range cases {
		line := bash.Read(c.line, world)
		var files []string
		for _, w := range line.Writes {
			files = append(files, w.Path)
		}
		slices.Sort(files)
		if !slices.Equal(files, c.files) || (len(line.Opaque) == 0) != c.whole {
			t.Errorf("%q: writes %q, hides %v; want %q", c.line, files, line.Opaque, c.files)
		}
	}
}

// TestWaiting finds programs to which an agent can write later, unseen by its hooks.
func TestWaiting(t *testing.T) {
	for _, line := range []string{
		"bash", "bash -i", "sh -l", "exec zsh", "env bash", "nohup bash", "bash -s", "cat | sh", "sudo -s", "sudo -i", "su", "su - root", "chroot .", "unshare", "screen",
		"script -q /dev/null", "python3", "python3 -i", "python -v", "node", "perl", "php", "ruby",
	} {
		if len(bash.Read(line, world).Opaque) == 0 {
			t.Errorf("%s: nothing is hidden", line)
		}
	}
	for _, line := range []string{
		"bash < /dev/null", "echo ls | bash", "bash script.sh", "bash --version", "node -v", "perl -v", "php -v", "python3 --version", "sudo ls", "sudo -l", "script -c ls", "cat <<<ls | sh",
		"su -c ls", "env", "cat", "python3 x.py", "node x.js",
	} {
		if hidden := bash.Read(line, world).Opaque; len(hidden) > 0 {
			t.Errorf("%s: hides %v", line, hidden)
		}
	}
}
