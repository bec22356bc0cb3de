package install_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
)

// Lefthook writes hooks of agents too. These tests are for its faults; of the seven, 1 to 3,
// "stdin is empty", "stdout has a banner" and "exit status 1", concern the hook command:
// see the script hook_contract of the program.

// registered returns the entries of settings that run rulecheck: by event, the objects with
// the command, and the groups that they are in.
func registered(t *testing.T, text string) map[string][]map[string]any {
	t.Helper()
	list := map[string][]map[string]any{}
	for _, key := range []string{"hooks", "rulecheck"} {
		events, _ := decode(t, text)[key].(map[string]any)
		for event, elements := range events {
			array, _ := elements.([]any)
			for _, e := range array {
				object, _ := e.(map[string]any)
				inner, grouped := object["hooks"].([]any)
				if !grouped {
					inner = []any{object}
				}
				for _, h := range inner {
					entry, _ := h.(map[string]any)
					line, err := json.Marshal(entry)
					if err != nil {
						t.Fatal(err)
					}
					if strings.Contains(string(line), "rulecheck hook") {
						list[event] = append(list[event], entry)
					}
				}
			}
		}
	}
	return list
}

// TestLimitsAndNames is for fault 4: an entry has a time limit in the agent's unit, each
// event is one that the agent has, and nothing is left to a default.
func TestLimitsAndNames(t *testing.T) {
	key := map[string]string{"copilot": "timeoutSec"}
	for _, d := range install.Agents() {
		if d.Settings.Shim != "" {
			continue
		}
		p := newPlace(t, d.Name)
		p.install()
		events := registered(t, p.read())
		if len(events) != len(d.Events) {
			t.Errorf("%s: %d events; want %d", d.Name, len(events), len(d.Events))
		}
		for _, e := range d.Events {
			if len(events[e.Name]) != 1 {
				t.Errorf("%s %s: %d entries; want 1", d.Name, e.Name, len(events[e.Name]))
				continue
			}
			name := key[d.Name]
			if name == "" {
				name = "timeout"
			}
			limit := "15"
			if e.Kind == hook.Stop {
				limit = "600"
			}
			switch d.Name {
			case "gemini", "qwen":
				limit += "000"
			case "windsurf": // its entries have no limit
				limit = ""
			}
			got := ""
			if n, ok := events[e.Name][0][name].(json.Number); ok {
				got = n.String()
			}
			equal(t, d.Name+" "+e.Name+" "+name, got, limit)
		}
	}
}

// TestNoDirectories is for fault 5: committed settings name no directory of this machine,
// and the command is the same wherever the program is.
func TestNoDirectories(t *testing.T) {
	for _, d := range install.Agents() {
		one, two := newPlace(t, d.Name), newPlace(t, d.Name)
		one.install()
		t.Setenv("PATH", t.TempDir())
		two.install()
		equal(t, d.Name, two.read(), one.read())
		if strings.Contains(one.read(), filepath.Dir(one.Root)) || strings.Contains(one.read(), os.TempDir()) {
			t.Errorf("%s:\n%s", d.Name, one.read())
		}
	}
}

// TestOwnCommands is for fault 6: entries that run rulecheck are recognized however the
// command is written, are not added again, and are removed.
func TestOwnCommands(t *testing.T) {
	for line, own := range map[string]bool{
		"rulecheck hook claude":                                       true,
		"rulecheck hook claude Stop --observe":                        true,
		"  rulecheck   hook\tclaude":                                  true,
		`"/opt/my tools/rulecheck" hook claude`:                       true,
		`'/opt/my tools/rulecheck' hook claude`:                       true,
		`/opt/my\ tools/rulecheck hook claude`:                        true,
		`"C:\Program Files\rulecheck.exe" hook claude`:                true,
		`"$HOME/bin/rulecheck" hook claude`:                           true,
		"mise exec -- rulecheck hook claude":                          true,
		"npx rulecheck hook claude":                                   true,
		"cd sub && env A=b rulecheck hook claude":                     true,
		"bash -c 'exec rulecheck hook claude'":                        true,
		"command -v rulecheck >/dev/null || exit 0; rulecheck hook x": true,
		`ru"lecheck" ho'ok' claude`:                                   true,
		"rulecheck hooks claude":                                      false,
		"rulecheck --staged":                                          false,
		"rulecheck":                                                   false,
		"echo rulecheck-hook claude":                                  false,
		"my-rulecheck hook claude":                                    false,
		"echo 'rulecheck hook claude'":                                false,
		"# rulecheck hook claude":                                     false,
		"lefthook run claude":                                         false,
		"if then rulecheck hook":                                      false,
		"":                                                            false,
	} {
		p := newPlace(t, "claude")
		entry, err := json.Marshal(line)
		p.must(err)
		text := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": " + string(entry) + "}\n        ]\n      }\n    ]\n  }\n}\n"
		p.write(text)
		for range 3 {
			p.install()
		}
		stops, _ := decode(t, p.read())["hooks"].(map[string]any)["Stop"].([]any)
		if want := map[bool]int{true: 1, false: 2}[own]; len(stops) != want {
			t.Errorf("%q: %d groups after three installations; want %d", line, len(stops), want)
		}
		p.forget()
		p.uninstall()
		if own && p.read() != "" {
			t.Errorf("%q remains:\n%s", line, p.read())
		} else if !own {
			equal(t, line, p.read(), text)
		}
	}
}

// TestNothingReplaced is for fault 7: Copilot's file keeps what others wrote in it, as
// every other.
func TestNothingReplaced(t *testing.T) {
	p := newPlace(t, "copilot")
	text := "{\n  \"version\": 1,\n  \"hooks\": {\n    \"preToolUse\": [\n      { \"type\": \"command\", \"bash\": \"./guard.sh\", \"timeoutSec\": 5 }\n    ]\n  }\n}\n"
	p.write(text)
	p.install()
	with := p.read()
	if !strings.Contains(with, `{ "type": "command", "bash": "./guard.sh", "timeoutSec": 5 }`) || len(registered(t, with)) != len(p.Events) {
		t.Errorf("%s", with)
	}
	p.uninstall()
	equal(t, "restored", p.read(), text)
}

// TestAppended adds entries after those that exist: Codex knows a trusted hook by its place.
func TestAppended(t *testing.T) {
	for _, d := range install.Agents() {
		if d.Settings.Shim != "" || d.Name == "antigravity" { // whose hooks have names
			continue
		}
		p := newPlace(t, d.Name)
		name := d.Events[0].Name
		p.write(`{"hooks": {"` + name + `": [{"command": "a"}, {"command": "b"}]}}`)
		p.install()
		list, _ := decode(t, p.read())["hooks"].(map[string]any)[name].([]any)
		if len(list) != 3 {
			t.Fatalf("%s: %v", d.Name, list)
		}
		for i, want := range []string{"a", "b"} {
			equal(t, d.Name, list[i], any(map[string]any{"command": want}))
		}
	}
}

// TestMixedGroups keeps other entries of a group.
func TestMixedGroups(t *testing.T) {
	p := newPlace(t, "claude")
	const before = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {"type": "command", "command": "a"},
          {"type": "command", "command": "rulecheck hook claude"}, // guard
          {"type": "command", "command": "b"}
        ]
      },
      {"matcher": "Edit", "hooks": [{"type": "command", "command": "rulecheck hook claude"}]}
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "rulecheck hook claude"}]}]
  }
}
`
	p.write(before)
	p.uninstall()
	equal(t, "others", p.read(), `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {"type": "command", "command": "a"}, // guard
          {"type": "command", "command": "b"}
        ]
      }
    ]
  }
}
`)
	// A command in another form is not made to observe.
	p.write(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "nice rulecheck hook claude"}]}]}}`)
	p.Observe = true
	r := p.install()
	if len(r.Notices) != 1 || !strings.Contains(r.Notices[0], `Stop: not changed, because it is not as rulecheck writes it; add --observe to "nice rulecheck hook claude"`) {
		t.Errorf("%q", r.Notices)
	}
}
