package agentlog_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestOpenCodeLegacyLaw compares the counts of sessions with a model that writes them as the
// files of OpenCode before version 1.2, some of them also as its database.
func TestOpenCodeLegacyLaw(t *testing.T) {
	dir := t.TempDir()
	checkArchives(t, func(w *archive) bool {
		w.legacyOpenCode(dir)
		return false
	})
}

// legacyOpenCode adds sessions with a file for each of their rows, as they were before they
// were moved to the database.
func (w *archive) legacyOpenCode(dir string) {
	var sessions []*openCode
	for range rapid.IntRange(1, 4).Draw(w.t, "sessions") {
		w.now = w.now.Add(time.Hour)
		parent := ""
		if len(sessions) > 0 && w.chance("subagent", 3) {
			parent = sessions[len(sessions)-1].id
		}
		c := w.newOpenCode(parent)
		if !w.harmless && w.chance("harmed", 4) {
			c.harm()
		}
		c.writeFiles()
		sessions = append(sessions, c)
	}
	if w.chance("moved", 2) {
		n := rapid.IntRange(1, len(sessions)).Draw(w.t, "to the database")
		for _, c := range sessions[:n] {
			if slices.ContainsFunc(c.rows, func(r openCodeRow) bool { return r.torn }) {
				return
			}
		}
		db, wal := w.writeOpenCode(filepath.Join(dir, "opencode.db"), sessions[:n])
		w.files["share/opencode.db"] = db
		if wal != nil {
			w.files["share/opencode.db-wal"] = wal
		}
	}
}

// writeFiles writes the files of a session.
func (c *openCode) writeFiles() {
	w := c.w
	info := map[string]any{"id": c.id, "projectID": "p", "directory": "/repo", "version": "1.0.0", "time": map[string]any{"created": w.now.UnixMilli()}}
	if c.parent != "" {
		info["parentID"] = c.parent
	}
	w.writeJSON("storage/session/p/"+c.id+".json", info, false)
	for _, r := range c.rows {
		data := maps.Clone(r.data)
		data["id"], data["sessionID"] = r.id, c.id
		if r.table == "message" {
			w.writeJSON("storage/message/"+c.id+"/"+r.id+".json", data, r.torn)
		} else {
			data["messageID"] = r.message
			w.writeJSON("storage/part/"+r.message+"/"+r.id+".json", data, r.torn)
		}
	}
}

func (w *archive) writeJSON(name string, data any, torn bool) {
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	if torn {
		text = text[:rapid.IntRange(0, len(text)-1).Draw(w.t, "torn at")]
	}
	w.files["share/"+name] = text
}
