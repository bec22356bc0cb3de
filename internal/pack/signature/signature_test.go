package signature_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pack/signature"
)

// TestVerify signs a commit with git, and verifies it with its key and others.
func TestVerify(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("no ssh-keygen")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR="+filepath.Join(dir, ".git"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, args, err, out)
		}
		return out
	}
	for _, key := range []string{"good", "other"} {
		run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", filepath.Join(dir, key))
		public, err := os.ReadFile(filepath.Join(dir, key+".pub"))
		if err != nil {
			t.Fatal(err)
		}
		for file, options := range map[string]string{key: "", key + "-old": `valid-before="20200101" `, key + "-mail": `namespaces="mail" `} {
			line := "rules@example.com " + options + string(public)
			if err := os.WriteFile(filepath.Join(dir, file+".signers"), []byte(line), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	run("git", "init", "-q")
	commit := func(args ...string) []byte {
		run("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gpg.format=ssh", "-c", "user.signingKey=" + filepath.Join(dir, "good")},
			append([]string{"commit", "-q", "--allow-empty", "-m", "a\n\nb"}, args...)...)...)
		return run("git", "cat-file", "commit", "HEAD")
	}
	signed, unsigned := commit("-S"), commit("--no-gpg-sign")
	for _, c := range []struct {
		name, signers string
		commit        []byte
		want          string
	}{
		{"signed", "good", signed, ""},
		{"another key", "other", signed, "not one of an allowed signer"},
		{"an expired key", "good-old", signed, "not one of an allowed signer"},
		{"a key for mail", "good-mail", signed, "not one of an allowed signer"},
		{"no signature", "good", unsigned, "no SSH signature"},
		{"another message", "good", []byte(strings.Replace(string(signed), "\n\na", "\n\nb", 1)), "not one of an allowed signer"},
		{"another tree", "good", []byte(strings.Replace(string(signed), "tree 4", "tree 5", 1)), "not one of an allowed signer"},
		{"no file", "missing", signed, "allowed signers"},
	} {
		err := signature.Signers{File: filepath.Join(dir, c.signers+".signers"), Env: os.Environ()}.Verify(t.Context(), c.commit)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
	if err := (signature.Signers{File: "signers"}).Verify(t.Context(), signed); err == nil {
		t.Error("a relative file of signers was accepted")
	}
}
