package trust_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/trust"
)

func trustNone(trust.Setting) bool { return false }
func trustAll(trust.Setting) bool  { return true }

var looseness = map[string]int{rule.SandboxRequired: 0, rule.SandboxBestEffort: 1, rule.SandboxOff: 2}

// drawn draws the settings of one state.
func drawn(t *rapid.T, label string) trust.Settings {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C"}), 0, 3, rapid.ID[string])
	durations := rapid.SampledFrom([]string{"", "10s", "1m0s", "5m0s"})
	s := trust.Settings{Actions: map[string]*rule.Action{}, Own: map[string]bool{}}
	s.Sandbox = rapid.SampledFrom([]string{rule.SandboxRequired, rule.SandboxBestEffort, rule.SandboxOff}).Draw(t, label+" sandbox")
	s.Env, s.Write = names.Draw(t, label+" env"), names.Draw(t, label+" write")
	s.Timeout, _ = time.ParseDuration(rapid.SampledFrom([]string{"10s", "1m", "5m"}).Draw(t, label+" timeout"))
	for _, id := range []string{"fmt", "lint"} {
		if rapid.Bool().Draw(t, label+" "+id) {
			s.Actions[id] = &rule.Action{
				Argv: []string{rapid.SampledFrom([]string{"x", "y"}).Draw(t, label+" command")},
				Env:  names.Draw(t, label+" env of rule"), Timeout: durations.Draw(t, label+" timeout of rule"),
			}
			s.Own[id] = rapid.IntRange(0, 3).Draw(t, label+" own") > 0
		}
	}
	return s
}

// limit returns how long the command of a rule may run.
func limit(s trust.Settings, id string) time.Duration {
	if a := s.Actions[id]; a != nil && a.Timeout != "" {
		d, _ := time.ParseDuration(a.Timeout)
		return d
	}
	return s.Timeout
}

// TestNothingIsLooserThanTheTarget is the law for settings without trust: none of them
// is looser than at the target, none is tighter than at head unless it was refused, and
// what is refused was looser.
func TestNothingIsLooserThanTheTarget(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		head, base := drawn(t, "head"), drawn(t, "base")
		d := trust.Decide(head, base, trustNone)
		if looseness[d.Sandbox] > looseness[base.Sandbox] && looseness[d.Sandbox] > looseness[head.Sandbox] || looseness[d.Sandbox] != min(looseness[head.Sandbox], looseness[base.Sandbox]) {
			t.Fatalf("sandbox %s of %s and %s", d.Sandbox, head.Sandbox, base.Sandbox)
		}
		if d.Timeout != min(head.Timeout, base.Timeout) {
			t.Fatalf("timeout %s of %s and %s", d.Timeout, head.Timeout, base.Timeout)
		}
		for _, list := range [][3][]string{{d.Env, head.Env, base.Env}, {d.Write, head.Write, base.Write}} {
			for _, name := range list[1] {
				if slices.Contains(list[0], name) != slices.Contains(list[2], name) {
					t.Fatalf("%v of %v and %v", list[0], list[1], list[2])
				}
			}
		}
		for id, a := range d.Actions {
			if !head.Own[id] {
				if diff := cmp.Diff(head.Actions[id], a); diff != "" {
					t.Fatalf("a rule that is not the repository's was changed: %s", diff)
				}
				continue
			}
			if most := max(limit(base, id), base.Timeout); limit(d.Settings, id) > most {
				t.Fatalf("%s may run %s; at the target at most %s", id, limit(d.Settings, id), most)
			}
			for _, name := range a.Env {
				before := base.Actions[id]
				same := before != nil && slices.Equal(before.Argv, a.Argv) && slices.Contains(before.Env, name)
				if !same && !slices.Contains(d.Env, name) {
					t.Fatalf("%s sees %s, which the target does not allow", id, name)
				}
			}
		}
		if again := trust.Decide(d.Settings, base, trustNone); len(again.Refused) > 0 {
			t.Fatalf("what counts is still refused: %v", again.Refused)
		}
		if self := trust.Decide(head, head, trustNone); len(self.Refused) > 0 {
			t.Fatalf("compared with itself: %v", self.Refused)
		}
		if diff := cmp.Diff(head, trust.Decide(head, base, trustAll).Settings, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("trusted settings changed: %s", diff)
		}
	})
}

// TestTrustIsExact is the law for trusted settings: a record makes the settings count that it
// was granted for, and no others; with another new command, only those of rules.
func TestTrustIsExact(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		head, base, other := drawn(t, "head"), drawn(t, "base"), drawn(t, "other")
		refused := trust.Decide(head, base, trustNone).Refused
		record := trust.Record{}.Grant(refused, head, base, time.Unix(0, 0))
		if left := trust.Decide(head, base, record.Trusts(head, base)).Refused; len(left) > 0 {
			t.Fatalf("trusted, and refused: %v", left)
		}
		trusts := record.Trusts(other, base)
		for _, s := range trust.Decide(other, base, trustNone).Refused {
			if trusts(s) && !slices.ContainsFunc(refused, func(r trust.Setting) bool { return r.Digest() == s.Digest() }) {
				t.Fatalf("%s is trusted; only %s are", s, trust.Join(refused))
			}
		}
		if again := record.Grant(refused, head, base, time.Unix(0, 0)); !cmp.Equal(again, record) {
			t.Fatalf("granted twice: %v", again)
		}
	})
}

func TestSettingsAsText(t *testing.T) {
	for want, s := range map[string]trust.Setting{
		"commands.sandbox: off":           {Key: "commands.sandbox", Value: "off"},
		`commands.write: "~/a, b"`:        {Key: "commands.write", Value: "~/a, b"},
		`commands.write: "x\n::error::y"`: {Key: "commands.write", Value: "x\n::error::y"},
		"action.env: TOKEN (rule fmt)":    {Key: "action.env", Value: "TOKEN", Rule: "fmt"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
	head := trust.Settings{CommandsConfig: rule.CommandsConfig{Timeout: 2 * time.Hour}}
	for text, timeout := range map[string]time.Duration{"2h": 2 * time.Hour, "1h1m": 61 * time.Minute, "90m1s": 0, "2m": 2 * time.Minute, "1h0m10s": time.Hour + 10*time.Second} {
		if head.Timeout = timeout; timeout == 0 {
			continue
		}
		refused := trust.Decide(head, trust.Settings{}, trustNone).Refused
		if len(refused) != 1 || refused[0].Value != text {
			t.Errorf("%v; want %s", refused, text)
		}
	}
}

func TestStore(t *testing.T) {
	store := trust.Store{Dir: filepath.Join(t.TempDir(), "state", "trust")}
	one := trust.Record{Version: 1, Repository: "/one/.git", Time: time.Unix(7, 0).UTC(), Settings: []trust.Entry{{Digest: "d", Text: "t"}}}
	for _, repository := range []string{"/two/.git", "/one/.git"} {
		r := one
		r.Repository = repository
		if err := store.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := store.Of("/one/.git")
	if diff := cmp.Diff(one, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err := store.Of("/three/.git"); err != nil || len(got.Settings) > 0 {
		t.Errorf("%v, %v; want nothing", got, err)
	}
	list, err := store.List()
	if err != nil || len(list) != 2 || list[0].Repository != "/one/.git" {
		t.Errorf("%v, %v", list, err)
	}
	entries, err := os.ReadDir(store.Dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v; want two files", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v; want 0600", info.Mode(), err)
		}
	}
	for i, text := range []string{"{", `{"version":2}`, "[]", strings.Repeat(" ", 2<<20)} {
		for _, e := range entries {
			if err := os.WriteFile(filepath.Join(store.Dir, e.Name()), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := store.Of("/one/.git"); err == nil || len(r.Settings) > 0 || !strings.Contains(err.Error(), "remove the file") {
			t.Errorf("damage %d: %v, %v", i, r, err)
		}
		if _, err := store.List(); err == nil {
			t.Errorf("damage %d: was listed", i)
		}
	}
	if removed, err := store.Remove("/one/.git"); err != nil || !removed {
		t.Errorf("%v, %v", removed, err)
	}
	if removed, err := store.Remove("/one/.git"); err != nil || removed {
		t.Errorf("removed twice: %v, %v", removed, err)
	}
}

// TestStoreDoesNotFollowLinks checks that a link is no record.
func TestStoreDoesNotFollowLinks(t *testing.T) {
	store := trust.Store{Dir: t.TempDir()}
	if err := store.Put(trust.Record{Repository: "/one/.git"}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(store.Dir)
	if err != nil {
		t.Fatal(err)
	}
	file, elsewhere := filepath.Join(store.Dir, entries[0].Name()), filepath.Join(t.TempDir(), "record")
	if err := os.Rename(file, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, file); err != nil {
		t.Skip(err)
	}
	if _, err := store.Of("/one/.git"); err == nil {
		t.Error("a link was read")
	}
}

func TestWithoutAHome(t *testing.T) {
	store := trust.Store{}
	if r, err := store.Of("/one/.git"); err != nil || len(r.Settings) > 0 {
		t.Errorf("%v, %v; want nothing", r, err)
	}
	if err := store.Put(trust.Record{}); err == nil {
		t.Error("was stored")
	}
	if list, err := store.List(); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}
