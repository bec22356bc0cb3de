package pack_test

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pack"
)

// objects is a repository in memory.
type objects map[string][]byte

func (o objects) add(kind, body string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(body), body))
	id := hex.EncodeToString(sum[:])
	o[kind+id] = []byte(body)
	return id
}

func (o objects) get(kind, id string) ([]byte, error) { return o[kind+id], nil }

// entry returns an entry of a tree.
func entry(mode, name, id string) string {
	raw, _ := hex.DecodeString(id)
	return mode + " " + name + "\x00" + string(raw)
}

// commit adds a commit of a pack whose directory of rules has more entries than one rule.
func (o objects) commit(more ...string) pack.Ref {
	rules := o.add("tree", entry("100644", "a.md", o.add("blob", "a rule"))+strings.Join(more, ""))
	top := o.add("tree", entry("40000", ".rulecheck", o.add("tree", entry("40000", "rules", rules)+entry("120000", "skipped", rules))))
	return pack.Ref{Git: "https://example.org/rules.git", Rev: o.add("commit", "tree "+top+"\nauthor x\n\nmessage\n")}
}

func TestStore(t *testing.T) {
	t.Parallel()
	o := objects{}
	r := o.commit()
	content, err := pack.Collect(r, o.get)
	if err != nil || len(content.Files) != 1 || string(content.Files["rules/a.md"].Data) != "a rule" {
		t.Fatalf("%v, %v; want the rule alone", content.Files, err)
	}
	s := pack.Store{Dir: t.TempDir()}
	if _, err := s.Open(r, ""); err == nil || !strings.Contains(err.Error(), "run: rulecheck packs fetch") {
		t.Errorf("an empty store: %v; want the next step", err)
	}
	if err := s.Put(r, content); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Open(r, content.Digest()); err != nil || again.Digest() != content.Digest() {
		t.Errorf("%v; want what was put", err)
	}
	if _, err := s.Open(r, "sha256:00"); err == nil {
		t.Error("another digest was accepted")
	}
	// Each byte matters: what is damaged anywhere is refused.
	for i := range content.Text {
		changed := append([]byte{}, content.Text...)
		changed[i] ^= 1
		if err := os.WriteFile(s.File(r), changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(r, ""); err == nil {
			t.Fatalf("a change of byte %d was accepted", i)
		}
	}
	for _, text := range [][]byte{nil, content.Text[:20], append(append([]byte{}, content.Text...), content.Text...)} {
		if err := os.WriteFile(s.File(r), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(r, ""); err == nil {
			t.Errorf("%d bytes were accepted", len(text))
		}
	}
}

func TestCollectRefuses(t *testing.T) {
	t.Parallel()
	o := objects{}
	blob := o.add("blob", "text")
	for what, entries := range map[string][]string{
		"a symbolic link":     {entry("120000", "b.md", blob)},
		"a submodule":         {entry("160000", "b", blob)},
		"a parent":            {entry("100644", "..", blob)},
		"git's directory":     {entry("40000", ".GIT", o.add("tree", ""))},
		"a path":              {entry("100644", "b/c.md", blob)},
		"another system's":    {entry("100644", `b\c.md`, blob)},
		"a device":            {entry("100644", "c:b", blob)},
		"a control character": {entry("100644", "b\x1b.md", blob)},
		"a missing object":    {entry("100644", "b.md", strings.Repeat("1", 40))},
		"half an entry":       {"100644 b"},
		"a large file":        {entry("100644", "b.md", o.add("blob", strings.Repeat("x", pack.MaxObject+1)))},
	} {
		if _, err := pack.Collect(o.commit(entries...), o.get); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

func TestParseRef(t *testing.T) {
	t.Parallel()
	rev := strings.Repeat("1a", 20)
	for _, text := range []string{
		"https://example.org/rules.git@" + rev, "ssh://git@example.org/rules@" + rev + ":packs/web", "file:///srv/rules@" + rev + rev[:24] + ":.",
	} {
		if r, err := pack.ParseRef(text); err != nil || r.String() != text {
			t.Errorf("%q: %q, %v; want the same", text, r, err)
		}
	}
	for _, text := range []string{
		"", "@" + rev, "x@" + rev, "ext::sh -c touch% /tmp/x@" + rev, "--upload-pack=x@" + rev, "-u@" + rev, "http://example.org/r@" + rev, "git://example.org/r@" + rev,
		"https://user:secret@example.org/r@" + rev, "https://user@example.org/r@" + rev, "ssh://-oProxyCommand=x/r@" + rev, "ssh://-o@example.org/r@" + rev, "ssh://git:pw@example.org/r@" + rev,
		"git@example.org:r@" + rev, "file://host/r@" + rev, "file:r@" + rev, "../r@" + rev, "https://example.org/@" + rev, "https:///r@" + rev, "https://example.org/r?x=1@" + rev,
		"https://example.org/r#x@" + rev, "https://example.org/a b@" + rev, "https://example.org/a\nb@" + rev, `https://example.org\r@` + rev, "fd::17@" + rev,
		"https://example.org/r@main", "https://example.org/r@" + rev[:39], "https://example.org/r@" + strings.ToUpper(rev), "https://example.org/r@" + rev + ":../x",
		"https://example.org/r@" + rev + ":/etc", "https://example.org/r@" + rev + ":a/../b", "https://example.org/r@" + rev + ":a\\b", "https://example.org/" + strings.Repeat("x", 3000) + "@" + rev,
	} {
		if r, err := pack.ParseRef(text); err == nil {
			t.Errorf("%q was read as %q; want an error", text, r)
		}
	}
}

// FuzzStore reads damaged files: none may panic, and none may have another content.
func FuzzStore(f *testing.F) {
	o := objects{}
	r := o.commit()
	content, err := pack.Collect(r, o.get)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content.Text)
	f.Add([]byte("blob 99999999999\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := pack.Store{Dir: t.TempDir()}
		if err := os.WriteFile(s.File(r), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Open(r, ""); err == nil && c.Digest() != content.Digest() {
			t.Errorf("%q was read as the pack", text)
		}
	})
}
