package agentlog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// machine is a machine with variables and one home directory, which remembers the variables
// that were looked up.
func machine(system string, home string, env map[string]string, asked *[]string) profile.Machine {
	homeOf := map[string]string{"windows": "USERPROFILE"}
	return profile.Machine{OS: system, Getenv: func(name string) string {
		if key := homeOf[system]; name == key || key == "" && name == "HOME" {
			return home
		}
		if asked != nil && !slices.Contains(*asked, name) {
			*asked = append(*asked, name)
		}
		return env[name]
	}}
}

// TestPlaces puts the samples of each agent where it keeps its logs, on each system, and
// finds their sessions, with nothing that is not read.
func TestPlaces(t *testing.T) {
	for _, agent := range profile.All() {
		if agent.Logs == nil {
			continue
		}
		for _, system := range []string{"linux", "darwin", "windows"} {
			t.Run(agent.Name+"/"+system, func(t *testing.T) {
				root, home := "/repo/shop", t.TempDir()
				m := machine(system, home, map[string]string{"SWE_AGENT_TRAJECTORY_DIR": filepath.Join(home, "trajectories")}, nil)
				if agent.Name == "aider" || agent.Name == "crush" { // which keep their logs in the repository
					root = t.TempDir()
				}
				if got := agentlog.KeptOn(m, root); len(got) > 0 {
					t.Errorf("got %v without logs", got)
				}
				places := agent.Logs(m, root)
				for _, place := range places {
					fillPlace(t, agent.Name, place, root)
				}
				kept := agentlog.KeptOn(m, root)
				if len(kept) < len(places) {
					t.Errorf("got %v of %+v", kept, places)
				}
				var inputs []agentlog.Input
				for _, k := range kept {
					inputs = append(inputs, agentlog.Input{Path: k.Path})
				}
				found := 0
				_, err := agentlog.Each(t.Context(), inputs, agentlog.Options{}, func(s session.Session) error {
					if s.Agent == agent.Name {
						found++
					}
					return nil
				})
				if err != nil || found == 0 {
					t.Errorf("found %d sessions, %v", found, err)
				}
			})
		}
	}
}

// fillPlace copies what belongs there of an agent's samples.
func fillPlace(t *testing.T, reader string, place profile.Place, root string) {
	t.Helper()
	target := place.Path
	if place.Owner != "" {
		target = filepath.Join(place.Path, "web", place.Within)
		put(t, filepath.Join(place.Path, "web", place.Owner), []byte(root+"\n"))
	}
	switch reader { // some keep their logs as others do
	case "kilo":
		reader = "opencode"
	case "roo":
		reader = "cline-tasks"
	}
	samples := os.DirFS(filepath.Join("testdata", reader))
	name := filepath.Base(target)
	err := fs.WalkDir(samples, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Base(file) == "expected.json" {
			return err
		}
		text, err := fs.ReadFile(samples, file)
		if err != nil {
			return err
		}
		switch {
		case filepath.Ext(name) != "": // a file
			if ext := filepath.Ext(file); ext == filepath.Ext(name) && (ext != ".db" || filepath.Base(file) == name) {
				put(t, target, text)
			}
		case strings.Contains(file, "/"+name+"/"): // a directory as in the sample
			_, below, _ := strings.Cut(file, "/"+name+"/")
			put(t, filepath.Join(target, below), text)
		case filepath.Ext(file) == ".jsonl", filepath.Ext(file) == ".traj":
			put(t, filepath.Join(target, filepath.Base(file)), text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(target); err != nil {
		if err := os.Mkdir(target, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVariablesMovePlaces sets each variable that an agent looks up: its logs are found there.
func TestVariablesMovePlaces(t *testing.T) {
	const root = "/repo/shop"
	for _, agent := range profile.All() {
		var asked []string
		if agent.Logs == nil {
			continue
		}
		before := agent.Logs(machine("linux", "/home/dev", nil, &asked), root)
		for _, name := range asked {
			after := agent.Logs(machine("linux", "/home/dev", map[string]string{name: "/else"}, nil), root)
			if !slices.ContainsFunc(after, func(p profile.Place) bool { return strings.HasPrefix(p.Path, "/else") && !slices.Contains(before, p) }) {
				t.Errorf("%s: %s=/else leads to %v", agent.Name, name, after)
			}
		}
	}
}

// TestOwner holds that the directories of other projects are not found.
func TestOwner(t *testing.T) {
	home := t.TempDir()
	for name, owner := range map[string]string{"a": "/repo/shop", "b": "/repo/shop/web\n", "c": "/repo/shop2", "d": "/repo", "e": "relative", "f": ""} {
		put(t, filepath.Join(home, ".gemini", "tmp", name, ".project_root"), []byte(owner))
		put(t, filepath.Join(home, ".gemini", "tmp", name, "chats", "x"), nil)
	}
	var got []string
	for _, k := range agentlog.KeptOn(machine("linux", home, nil, nil), "/repo/shop") {
		got = append(got, filepath.Base(filepath.Dir(k.Path)))
	}
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlacesDocument compares the table of places with their sources; UPDATE=1 rewrites it.
func TestPlacesDocument(t *testing.T) {
	const root = "/path/to/repository"
	hash := sha256.Sum256([]byte(root))
	show := strings.NewReplacer(hex.EncodeToString(hash[:]), "SHA256", root, ".")
	var table strings.Builder
	table.WriteString("| agent | logs | variable |\n|---|---|---|\n")
	for _, name := range profile.Names() {
		agent, _ := profile.Named(name)
		var paths, asked []string
		for _, p := range agent.Logs(machine("linux", "~", nil, &asked), root) {
			path := p.Path
			if strings.Contains(path, "/User/") && !strings.Contains(path, "/Code/") {
				continue // as in Visual Studio Code, in another editor
			}
			if p.Owner != "" {
				path = filepath.Join(path, "*", p.Within)
			}
			if p.Below {
				path += "*"
			}
			paths = append(paths, "`"+show.Replace(path)+"`")
		}
		for i, name := range asked {
			asked[i] = "`" + name + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", name, strings.Join(paths, ", "), strings.Join(asked, ", "))
	}
	compareDocument(t, "places", table.String())
}

// compareDocument compares a generated part of docs/sessions.md with its source; UPDATE=1
// rewrites it.
func compareDocument(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("..", "..", "..", "docs", "sessions.md")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	document := string(content)
	begin, end := strings.Index(document, "<!-- "+name+":"), strings.Index(document, "<!-- /"+name+" -->")
	if begin < 0 || end < begin {
		t.Fatalf("%s has no place for %q", file, name)
	}
	first := begin + strings.Index(document[begin:], "\n") + 1
	want := document[:first] + "\n" + text + "\n" + document[end:]
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		document = want
	}
	if diff := cmp.Diff(want, document); diff != "" {
		t.Errorf("%s is stale; run: make update (-want +got):\n%s", file, diff)
	}
}
