package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Store keeps trusted settings: one file for each repository, in the user's state directory
// and not in the repository, which another author can have made.
type Store struct{ Dir string }

// Record holds the settings and commands that the user trusts in one repository.
type Record struct {
	Version    int       `json:"version"`
	Repository string    `json:"repository"` // its git directory; shared by linked working trees
	Time       time.Time `json:"time"`       // of the last change
	Settings   []Entry   `json:"settings"`
	Commands   []Entry   `json:"commands"` // that the target does not have, and that may run with the settings
}

// Entry is something trusted; the digest decides.
type Entry struct {
	Digest string `json:"digest"`
	Text   string `json:"text"`
}

// recordVersion is the version of the form of a record.
const recordVersion = 1

// maxRecord is the maximum size of a record in bytes.
const maxRecord = 1 << 20

// Repository returns the directory that identifies the repository with a git directory:
// the one that its linked working trees share.
func Repository(gitDir string) string {
	text, err := regular.ReadFile(filepath.Join(gitDir, "commondir"))
	common := strings.TrimSpace(string(text))
	switch {
	case err != nil || common == "":
		return filepath.Clean(gitDir)
	case filepath.IsAbs(common):
		return filepath.Clean(common)
	default:
		return filepath.Join(gitDir, common)
	}
}

func (s Store) file(repository string) string {
	sum := sha256.Sum256([]byte(repository))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:16])+".json")
}

// Of returns the record of a repository; without one nothing is trusted.
func (s Store) Of(repository string) (Record, error) {
	none := Record{Version: recordVersion, Repository: repository}
	if s.Dir == "" {
		return none, nil
	}
	r, err := read(s.file(repository))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return none, nil
	case err != nil:
		return none, err
	case r.Repository != repository:
		return none, fmt.Errorf("%s: is about %q; want %q: remove the file", s.file(repository), r.Repository, repository)
	}
	return r, nil
}

// read reads a record. It refuses files that another user can have written.
func read(file string) (r Record, err error) {
	info, err := os.Lstat(file)
	if err != nil {
		return r, err
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return r, fmt.Errorf("%s: is %s; want a file that only its owner can write: remove it", file, info.Mode())
	}
	f, err := regular.Open(file)
	if err != nil {
		return r, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(text) > maxRecord {
		err = errors.New("is too large")
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && r.Version != recordVersion {
		err = fmt.Errorf("version %d; want %d", r.Version, recordVersion)
	}
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w; remove the file, then run: rulecheck trust", file, err)
	}
	return r, nil
}

// Put stores the record of a repository and replaces an earlier one.
func (s Store) Put(r Record) error {
	if s.Dir == "" {
		return errNoDir
	}
	r.Version = recordVersion
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(s.Dir, 0o700); err != nil { //nolint:gosec // a directory needs the executable bit
		return err
	}
	return atomicfile.WritePrivate(s.file(r.Repository), append(text, '\n'))
}

var errNoDir = errors.New("there is no directory for the user's own state; set HOME or XDG_STATE_HOME to an absolute path")

// Remove removes the record of a repository and reports whether there was one.
func (s Store) Remove(repository string) (bool, error) {
	if s.Dir == "" {
		return false, errNoDir
	}
	err := os.Remove(s.file(repository))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// List returns all records in the order of their repositories, and the errors of those that
// cannot be read.
func (s Store) List() ([]Record, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) || s.Dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var records []Record
	var errs []error
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" {
			continue
		}
		r, err := read(filepath.Join(s.Dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.Repository, b.Repository) })
	return records, errors.Join(errs...)
}
