package agentlog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fact"
)

func stateRow(at, node string) string {
	return fmt.Sprintf(`{"from_node":"START","mode":"execution","phase":%[2]q,"timestamp":%[1]q,"to_node":%[2]q,"workflow_id":null}`+"\n", at, node)
}

func hookRow(at, event, of, more string) string {
	return fmt.Sprintf(`{"timestamp":%q,"session_id":%q,"event_type":%q,"cwd":"/repo"%s}`+"\n", at, of, event, more)
}

// TestStateDirectories reads two state directories and transcripts. Each directory includes
// the transcripts that it names.
func TestStateDirectories(t *testing.T) {
	const t1, t2, t3, t4 = "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z", "2026-01-01T00:00:04Z"
	bash := `,"tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t1"`
	legacy := func(at, event string) string {
		return fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s1","timestamp":%q,"tool_name":"Bash","tool_input":{"command":"old"}}`+"\n", event, at)
	}
	sessions := loadFiles(t, map[string]string{
		"one/states.jsonl": stateRow(t2, "code") + stateRow(t1, "plan") + stateRow("", "lost") + stateRow(t3, "code") + stateRow(t3, "") + stateRow(t4, "done") + `{"from_node":"a","to_node"` + "\n",
		"one/state.json":   "{\n" + `"workflow":{"current_node":"done","mode":"execution","workflow_id":"w","phase_start_time":"` + t4 + `"},` + "\n" + `"session_metadata":{"session_id":"s3"},"git_info":{"current_branch":"topic"},"cumulative_totals":null}`,
		"one/hooks.jsonl": hookRow(t1, "UserPromptSubmit", "s1", `,"prompt":"p"`) + hookRow(t2, "pre_tool_use", "s1", bash) +
			hookRow(t3, "PostToolUseFailure", "s1", bash+`,"error":"Exit code 2\nno","is_interrupt":false,"agent_id":"x"`) + hookRow(t3, "post_tool_use", "s1", bash) +
			hookRow(t3, "PostToolUseFailure", "s1", strings.Replace(bash, "t1", "t8", 1)+`,"error":"The user doesn't want to proceed"`) +
			hookRow(t3, "post_tool_use", "s1", strings.Replace(bash, "t1", "t9", 1)+`,"tool_response":{"interrupted":true}`) +
			legacy(t1, "PreToolUse") + legacy(t2, "PostToolUse") + legacy(t3, "PreToolUse") + hookRow(t4, "stop", "s2", ""),
		"one/command_log.jsonl": `{"timestamp":"x","command":"git","args":[],"success":true,"blocked":false,"blocked_reason":null}` + "\n{\n",
		"one/stashes/s.json":    `{"index":0,"timestamp":"x","workflow":{"current_node":"code"}}`,
		"two/state.json":        `{"workflow_state":{"current_node":"code","mode":"m"},"session_metadata":null,"workflow":{"current_node":"code","phase_start_time":"` + t1 + `"}}`,
		"two/hooks.jsonl":       hookRow(t2, "session_start", "s9", `,"adapter":"cursor"`) + `{"session_id":"s9","event_type":7}` + "\n",
		"transcripts/s1.jsonl":  claudeTurn("s1", "1", 2, ""),
		"transcripts/s3.jsonl":  claudeTurn("s3", "3", 3, ""),
		"transcripts/s7.jsonl":  claudeTurn("s7", "7", 3, ""),
		"transcripts/any.jsonl": `{"type":"assistant","timestamp":"` + t2 + `","usage":{"input_tokens":1,"output_tokens":2}}`,
	})
	if diff := cmp.Diff([]tally{{"s3", "", 1, 6, 12}, {"s9", "", 0, 0, 0}, {"s7", "", 1, 1, 5}}, tallies(t, sessions)); diff != "" {
		t.Fatal(diff)
	}
	one, two := sessions[0], sessions[1]
	var phases []string
	for _, p := range one.Phases {
		phases = append(phases, p.Name+" "+p.Source)
	}
	if diff := cmp.Diff([]string{"plan states", "code states", "code states", "done states"}, phases); diff != "" {
		t.Error(diff)
	}
	if one.GitBranch != "topic" || !one.TokensKnown || count(one, fact.Damaged) != 2 || count(one, fact.NoTime) != 1 || count(one, fact.WrongType) != 1 {
		t.Errorf("got %+v", one.Diagnostics)
	}
	if two.Agent != "cursor" || two.TokensKnown || len(two.Phases) != 1 || two.Phases[0].Source != "state" || count(two, fact.WrongType)+count(two, fact.UnknownType) != 1 {
		t.Errorf("got %+v", two)
	}
	type brief struct {
		ID     string
		At     string
		Status fact.Status
	}
	var got []brief
	for _, c := range one.Calls {
		got = append(got, brief{c.ID, c.At.Format("05"), c.Status})
	}
	want := []brief{
		{"", "02", fact.OK},
		{"t1", "03", fact.Error},
		{"t8", "03", fact.Rejected},
		{"t9", "03", fact.Error},
		{"", "03", fact.Running},
		{"t3", "03", fact.OK},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestArchives(t *testing.T) {
	const id, later = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
	phase := func(start, command string) string {
		return fmt.Sprintf(`{"phase_name":"code","start_time":%[1]q,"end_time":null,"tokens":{"input":1,"output":"x"},
			"bash_commands":[{"command":%[2]q,"count":3,"timestamps":[%[1]q,"unknown"]},7],"file_modifications":[{"file_path":"a.go","tool":"Write","count":1,"timestamps":[%[1]q]}]}`, start, command)
	}
	archive := func(id, phases, more string) string {
		return fmt.Sprintf("{\n  \"workflow_id\": %q, \"mode\": \"m\", \"completed_at\": %q,\n\"phases\": [%s]%s}", id, id, phases, more)
	}
	sessions := loadFiles(t, map[string]string{
		"archive/" + id + ".json":      archive(id, phase(id, "make"), ""),
		"archive/" + later + ".json":   archive(later, phase(id, "make")+","+phase(later, "ls")+`,{"phase_name":"","bash_commands":null,"tokens":0},8`, ""),
		"archive/2026-01-03.json":      archive("2026-01-03", phase(later, "x"), `,"is_synthetic":true`),
		"archive/torn.json":            archive(id, "", "")[:60],
		"archive/" + later[:10] + ".x": "ignored",
	})
	type brief struct {
		ID              string
		Phases, Calls   int
		NoTime, Dropped int
	}
	var got []brief
	for _, s := range sessions {
		got = append(got, brief{s.ID, len(s.Phases), len(s.Calls), count(s, fact.NoTime), count(s, fact.RepeatedPhase) + count(s, fact.Synthetic) + count(s, fact.Damaged)})
	}
	want := []brief{{"torn", 0, 0, 0, 1}, {id, 1, 4, 2, 0}, {later, 1, 4, 4, 1}, {"2026-01-03", 0, 0, 2, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	v := sessions[1].Visits()[0]
	if totals := v.Phase.Totals; *totals.Input != 1 || totals.Output != nil || !sessions[1].TokensKnown || len(v.Calls) != 2 {
		t.Errorf("got %+v with %+v", v, totals)
	}
}

// TestJournalWithoutIDs reads calls that a journal records without ids and a transcript
// with ids.
func TestJournalWithoutIDs(t *testing.T) {
	legacy := func(second int, command string) string {
		return fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":"s","timestamp":"2026-01-01T00:00:%02d.9Z","tool_name":"Bash","tool_input":{"command":%q}}`+"\n", second, command)
	}
	sessions := loadFiles(t, map[string]string{
		"d/hooks.jsonl": legacy(2, "make") + legacy(3, "make") + legacy(4, "ls") + legacy(59, "make"),
		"t/s.jsonl":     claudeTurn("s", "1", 1, "") + claudeTurn("s", "2", 3, "") + claudeTurn("s", "3", 30, ""),
	})
	if len(sessions) != 1 {
		t.Fatalf("got %d sessions", len(sessions))
	}
	var got []string
	for _, c := range sessions[0].Calls {
		got = append(got, c.At.Format("05.0")+" "+c.ID+" "+c.Command)
	}
	if diff := cmp.Diff([]string{"02.9 t1 make", "03.9 t2 make", "04.9  ls", "30.0 t3 make", "59.9  make"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAnonymousDirectory reads a state directory that names no session. It includes every
// transcript that did not end before it.
func TestAnonymousDirectory(t *testing.T) {
	sessions := loadFiles(t, map[string]string{
		"d/states.jsonl": stateRow("2026-01-01T00:00:02Z", "code"),
		"t/a.jsonl":      claudeTurn("a", "1", 1, ""),
		"t/b.jsonl":      claudeTurn("b", "2", 1, "") + claudeTurn("b", "3", 2, ""),
		"t/c.jsonl":      claudeTurn("c", "4", 9, ""),
	})
	if diff := cmp.Diff([]tally{{"a", "", 1, 1, 5}, {"b", "", 3, 3, 15}}, tallies(t, sessions)); diff != "" {
		t.Fatal(diff)
	}
	if v := sessions[1].Visits(); len(v) != 1 || len(v[0].Calls) != 2 || v[0].Phase.Name != "code" {
		t.Errorf("got %+v", v)
	}
}
