package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// record lists what Install inserted into settings, so that Uninstall restores them byte for
// byte. It has no content of the settings.
type record struct {
	File     string   `json:"file"`
	Digest   string   `json:"digest"`   // of the settings afterwards; empty: nothing is known
	Created  bool     `json:"created"`  // there was no file
	Inserted []span   `json:"inserted"` // in the settings afterwards, in their order
	Dirs     []string `json:"dirs"`     // that were made, the innermost first
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func recordPath(gitDir, agentName string) string {
	return filepath.Join(gitDir, recordsDir, installedDir, agentName+".json")
}

// readRecord returns what is known of an installation. A damaged record is as good as
// none: entries are found without it.
func readRecord(gitDir, agentName string) record {
	text, err := regular.ReadFile(recordPath(gitDir, agentName))
	var r record
	if err != nil || json.Unmarshal(text, &r) != nil {
		return record{}
	}
	return r
}

// undo returns the settings before the installation, nil if there were none. It returns
// content itself if that is not what the installation left; then undone is false.
func (r record) undo(content []byte) (before []byte, undone bool) {
	if content == nil || r.Digest == "" || digest(content) != r.Digest {
		return content, false
	}
	if r.Created {
		return nil, true
	}
	before = []byte{}
	last := 0
	for _, s := range r.Inserted {
		if s.At < last || s.Length < 0 || s.At+s.Length > len(content) {
			return content, false
		}
		before = append(before, content[last:s.At]...)
		last = s.At + s.Length
	}
	return append(before, content[last:]...), true
}

// write stores the record, or removes the file if nothing is to be known.
func (r record) write(gitDir, agentName string) error {
	name := recordPath(gitDir, agentName)
	if r.Digest == "" && len(r.Dirs) == 0 {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		removeEmpty(gitDir)
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(name, append(text, '\n'))
}
