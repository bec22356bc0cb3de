package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
)

const (
	entrySuffix      = ".json"
	damagedInfix     = ".damaged-"
	unfinishedSuffix = ".unfinished"
	maxEntry         = 16 << 20 // bytes of a file that is read
)

// Store keeps entries and the counts of sessions in the git directory of a working tree.
// Any number of processes may use it concurrently and be killed at any time.
type Store struct{ entries, sessions string }

// New returns the store in a git directory. It reads nothing.
func New(gitDir string) *Store {
	dir := filepath.Join(gitDir, "rulecheck")
	return &Store{filepath.Join(dir, "queue"), filepath.Join(dir, "stops")}
}

// lock waits for the exclusive lock, which the system releases when the process ends, and
// makes the directories private.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	for _, dir := range []string{s.entries, s.sessions} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		info, err := os.Lstat(dir)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%q is not a directory; move it away", dir)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a directory needs the x permission
				return nil, err
			}
		}
	}
	if unlock, err = atomicfile.Lock(ctx, s.entries+".lock"); err != nil {
		return nil, fmt.Errorf("wait for another rulecheck process: %w", err)
	}
	return unlock, nil
}

// read reads a JSON file into value. A damaged file is set aside with a notice, and
// treated as one that does not exist.
func read(name string, value any, valid func() error) (found bool, notice string, err error) {
	text, err := readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, "", nil
	}
	damage := err
	if damage == nil {
		if damage = json.Unmarshal(text, value); damage == nil {
			damage = valid()
		}
		if damage == nil {
			return true, "", nil
		}
	} else if !errors.Is(err, regular.ErrIrregular) && !errors.Is(err, errTooLarge) {
		return false, "", err // perhaps a temporary error
	}
	kept, err := setAside(name)
	if err != nil {
		return false, "", err
	}
	return false, fmt.Sprintf("%s is damaged (%s) and was kept as %s", finding.Visible(filepath.Base(name)), finding.Visible(damage.Error()), finding.Visible(filepath.Base(kept))), nil
}

var errTooLarge = errors.New("it is too large")

func readFile(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, regular.ErrIrregular
	case info.Size() > maxEntry:
		return nil, errTooLarge
	}
	return regular.ReadFile(name)
}

// setAside renames a damaged file to the first free name.
func setAside(name string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = name + damagedInfix + strconv.Itoa(n)
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			return kept, os.Rename(name, kept)
		} else if err != nil {
			return "", err
		}
	}
}

// replace writes a JSON file in one step. It does not wait for the disk: what a power cut
// damages is set aside.
func replace(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), "*"+unfinishedSuffix) // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), name); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func (s *Store) path(hash string, status Status) string {
	return filepath.Join(s.entries, hash+"."+string(status)+entrySuffix)
}

// entryName splits the name of an entry's file.
func entryName(name string) (hash string, status Status, ok bool) {
	stem, ok := strings.CutSuffix(name, entrySuffix)
	hash, state, found := strings.Cut(stem, ".")
	return hash, Status(state), ok && found && len(hash) == hashDigits
}
