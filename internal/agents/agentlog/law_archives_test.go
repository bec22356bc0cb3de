package agentlog_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"
)

// archive is a directory of logs in the making.
type archive struct {
	t        *rapid.T
	files    map[string][]byte
	inputs   []string
	growing  []string // files that may still be written
	foreign  []string // files that hold events and that no reader knows
	accounts []*account
	now      time.Time
	n        int
	// harmless archives have no damage and nothing unknown.
	harmless bool
}

// newArchive returns an archive without files.
func newArchive(t *rapid.T) *archive {
	return &archive{t: t, files: map[string][]byte{}, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
}

func drawArchive(t *rapid.T) *archive {
	w := newArchive(t)
	w.harmless = w.chance("harmless", 2)
	for range rapid.IntRange(1, 3).Draw(t, "groups") {
		w.now = w.now.Add(24 * time.Hour)
		switch rapid.SampledFrom([]string{"claude", "claude", "codex", "directory", "directory", "archive"}).Draw(t, "format") {
		case "claude":
			w.shipNew((*archive).transcripts)
		case "codex":
			w.shipNew((*archive).rollouts)
		case "directory":
			w.directory()
		case "archive":
			w.archives()
		}
	}
	if !w.harmless && w.chance("foreign file", 3) {
		w.addForeign()
	}
	if !w.harmless && w.chance("hooks of another agent", 5) {
		w.otherHooks()
	}
	w.inputs = []string{"."}
	if w.chance("overlapping inputs", 4) {
		names := w.names()
		name := rapid.SampledFrom(names).Draw(t, "input")
		w.inputs = rapid.SampledFrom([][]string{{".", name}, {name, "."}, {".", "."}, {path.Dir(name), ".", name}}).Draw(t, "inputs")
	}
	return w
}

// shipNew ships the logs that write adds, if none is damaged.
func (w *archive) shipNew(write func(*archive)) {
	before := w.names()
	write(w)
	added := slices.DeleteFunc(w.names(), func(name string) bool { return slices.Contains(before, name) || strings.Contains(name, "agent-") })
	if w.harmless {
		w.ship(added)
	}
}

func (w *archive) chance(what string, n int) bool {
	return rapid.IntRange(0, n-1).Draw(w.t, what) == n-1
}

func (w *archive) id(prefix string) string {
	w.n++
	return fmt.Sprintf("%s-%04d", prefix, w.n)
}

func (w *archive) pass() {
	w.now = w.now.Add(time.Duration(rapid.IntRange(1000, 20_000).Draw(w.t, "milliseconds")) * time.Millisecond)
}

func (w *archive) tokens() (tokens [4]int64) {
	for i := range tokens {
		tokens[i] = int64(rapid.IntRange(1, 999).Draw(w.t, "tokens"))
	}
	return tokens
}

func (w *archive) newAccount(ids ...string) *account {
	u := &account{ids: ids, visits: map[string]*visitAccount{}, unknown: map[string]bool{}}
	w.accounts = append(w.accounts, u)
	return u
}

func (w *archive) names() []string { return slices.Sorted(maps.Keys(w.files)) }

// lawNow is when archives are read.
var lawNow = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

// system returns the files.
func (w *archive) system() fs.FS {
	fsys := fstest.MapFS{}
	for name, text := range w.files {
		fsys[name] = &fstest.MapFile{Data: text}
	}
	for _, name := range w.growing {
		fsys[name].ModTime = lawNow
	}
	return fsys
}

// write writes a file and perhaps a copy of it.
func (w *archive) write(name string, text []byte) {
	w.files[name] = text
	dir, base := path.Split(name)
	switch rapid.IntRange(0, 11).Draw(w.t, "copy") {
	case 11:
		w.files[dir+strings.TrimSuffix(base, path.Ext(base))+".bak"+path.Ext(base)] = text
	case 10:
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		w.files[name+".gz"] = b.Bytes()
	case 9: // compressed
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		delete(w.files, name)
		w.files[name+".gz"] = b.Bytes()
	}
}

// tear cuts a row, as a crash or a full disk does.
func (w *archive) tear(rows []logRow) []byte {
	at := rapid.IntRange(0, len(rows)-1).Draw(w.t, "torn row")
	row := bytes.TrimSuffix(jsonLines(rows[at:at+1]), []byte("\n"))
	row = row[:rapid.IntRange(1, len(row)-1).Draw(w.t, "torn at")]
	return slices.Concat(jsonLines(rows[:at]), row, []byte("\n"), jsonLines(rows[at+1:]))
}

// transcripts adds conversations of Claude Code, each perhaps resumed or forked.
func (w *archive) transcripts() {
	c := w.newConversation(false)
	c.dir = "projects/-repo/"
	c.work()
	switch rapid.SampledFrom([]string{"alone", "alone", "resumed", "forked", "torn", "cut head"}).Draw(w.t, "relation") {
	case "resumed":
		next := c.resume(false)
		if w.chance("resumed again", 3) {
			next.resume(false).write()
		}
		next.write()
	case "forked":
		fork := c.resume(true)
		if w.chance("goes on", 2) {
			c.work()
		}
		fork.write()
	case "cut head":
		if !w.harmless && len(c.rows) > 1 {
			c.rows = c.rows[rapid.IntRange(1, len(c.rows)-1).Draw(w.t, "cut"):]
			c.loseAll()
			c.mentions = []string{"begins in the middle"}
		}
	case "torn":
		if !w.harmless && len(c.rows) > 0 {
			c.side = nil // a subagent's part is lost as a whole
			c.loseAll()
			c.mentions = nil
			w.files[c.file()] = w.tear(c.rows)
			return
		}
	}
	c.write()
}

// addForeign adds a file of events in a format without a reader.
func (w *archive) addForeign() {
	foreign := map[string]string{
		"opencode/opencode.db":  "SQLite format 3\x00",
		"old/session.jsonl.xz":  "\xfd7zXZ\x00",
		"old/session.jsonl.bz2": "BZh9",
		"old/hooks.jsonl.1":     `{"event_type":"PostToolUse","session_id":"s"}` + "\n",
		"web/session.jsonl":     "<!DOCTYPE html><html></html>\n",
		"otel/log.jsonl":        `{"resourceLogs":[{"scopeLogs":[]}]}` + "\n",
		"cut/session.jsonl.gz":  "\x1f\x8b\x08\x00\x00",
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(foreign))).Draw(w.t, "foreign")
	w.files[name] = []byte(foreign[name])
	w.foreign = append(w.foreign, name)
}

// otherHooks adds the journal of the hooks of another agent, with one command or edit.
func (w *archive) otherHooks() {
	of := w.newAccount("other")
	of.lose(tokenParts...)
	v := newVisitAccount()
	v.saw(w.now)
	of.visits[wholeSession] = v
	row := logRow{"timestamp": stamp(w.now)}
	switch rapid.SampledFrom([]string{"cursor edit", "cursor command", "gemini"}).Draw(w.t, "agent") {
	case "cursor edit":
		v.counts["edits"] = 1
		maps.Copy(row, logRow{"conversation_id": "other", "hook_event_name": "afterFileEdit", "file_path": "/repo/a.go", "edits": []any{}})
	case "cursor command":
		v.counts["commands"] = 1
		maps.Copy(row, logRow{"conversation_id": "other", "hook_event_name": "afterShellExecution", "command": "make", "output": ""})
	case "gemini":
		v.counts["commands"] = 1
		maps.Copy(row, logRow{"session_id": "other", "hook_event_name": "AfterTool", "tool_name": "run_shell_command", "tool_input": map[string]any{"command": "make"}})
	}
	of.mayBeUnknown = true
	w.files["other/hooks.jsonl"] = jsonLines([]logRow{row})
}

// archives adds archived workflows.
func (w *archive) archives() {
	for range rapid.IntRange(1, 2).Draw(w.t, "archives") {
		w.now = w.now.Add(time.Hour)
		id := w.now.Format("2006-01-02T15:04:05Z")
		u := w.newAccount(id)
		var phases []any
		for range rapid.IntRange(1, 3).Draw(w.t, "phases") {
			w.now = w.now.Add(time.Minute)
			start, tokens := w.now, w.tokens()
			v := newVisitAccount()
			u.visits[phaseKey("code", start)] = v
			v.saw(start)
			commands, edits := map[string][]string{}, map[string][]string{}
			for range rapid.IntRange(0, 4).Draw(w.t, "calls") {
				w.pass()
				text := rapid.SampledFrom([]string{"make", "ls"}).Draw(w.t, "text")
				if w.chance("edit", 2) {
					edits[text] = append(edits[text], stamp(w.now))
					v.counts["edits"]++
				} else {
					commands[text] = append(commands[text], stamp(w.now))
					v.counts["commands"]++
				}
			}
			w.pass()
			v.saw(w.now)
			for i, part := range tokenParts {
				v.counts[part] = tokens[i]
			}
			phases = append(phases, map[string]any{
				"phase_name": "code", "start_time": start.Format(time.RFC3339Nano), "end_time": w.now.Format(time.RFC3339Nano),
				"tokens":        map[string]any{"input": tokens[0], "output": tokens[1], "cache_read": tokens[2], "cache_creation": tokens[3]},
				"bash_commands": groupsOf("command", commands), "file_modifications": groupsOf("file_path", edits),
			})
		}
		text, err := json.MarshalIndent(map[string]any{"workflow_id": id, "mode": "execution", "completed_at": stamp(w.now), "phases": phases}, "", " ")
		if err != nil {
			panic(err)
		}
		w.files["archive/"+id+".json"] = text
	}
}

// groupsOf groups calls as archives do.
func groupsOf(key string, calls map[string][]string) []any {
	groups := []any{}
	for _, text := range slices.Sorted(maps.Keys(calls)) {
		groups = append(groups, map[string]any{key: text, "tool": "Edit", "count": len(calls[text]), "timestamps": calls[text]})
	}
	return groups
}
