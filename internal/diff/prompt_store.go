package diff

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long to wait between two attempts at the lock.
const lockWait = 20 * time.Millisecond

// lockPrompts waits for the right to write snapshots. The system gives it back
// when its holder ends, however it ends.
func lockPrompts(ctx context.Context, gitDir string) (unlock func(), err error) {
	if err := os.MkdirAll(promptsDir(gitDir), 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(promptsDir(gitDir)+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return nil, fmt.Errorf("lock the snapshots of prompts: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// nextID is greater than every id in use. The random half keeps an id from being
// given again to another snapshot after its own was dropped.
func nextID(gitDir string) (string, error) {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return "", err
	}
	number := uint64(0)
	if len(ids) > 0 {
		if number, err = strconv.ParseUint(ids[0][:8], 16, 32); err != nil {
			return "", err
		}
	}
	if number == math.MaxUint32 {
		return "", &UnjudgeableError{Reason: "there is no id after that of prompt " + ids[0], Mend: "rulecheck baseline drop --all"}
	}
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", number+1) + hex.EncodeToString(random[:]), nil
}

// finish makes a snapshot of a directory: whole or not at all.
func finish(home string, s *Snapshot) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(home, manifestFile+".*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(home, manifestFile))
}

// DropSnapshot forgets one snapshot. The error is fs.ErrNotExist where there is none.
func DropSnapshot(ctx context.Context, gitDir, id string) error {
	if err := validID(id); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(promptsDir(gitDir), id, manifestFile)); err != nil {
		return fmt.Errorf("prompt %s: no such snapshot: %w", id, fs.ErrNotExist)
	}
	unlock, err := lockPrompts(ctx, gitDir)
	if err != nil {
		return err
	}
	defer unlock()
	return remove(gitDir, id)
}

// DropSnapshots forgets all snapshots.
func DropSnapshots(ctx context.Context, gitDir string) error {
	ids, err := snapshotIDs(gitDir)
	if err != nil || len(ids) == 0 {
		return err
	}
	unlock, err := lockPrompts(ctx, gitDir)
	if err != nil {
		return err
	}
	defer unlock()
	for _, id := range ids {
		if err := remove(gitDir, id); err != nil {
			return err
		}
	}
	return nil
}

// remove takes the manifest first, so that what may be left is no snapshot.
func remove(gitDir, id string) error {
	home := filepath.Join(promptsDir(gitDir), id)
	if err := os.Remove(filepath.Join(home, manifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(home)
}

// prune drops what is too much or too old, and what interrupted captures have
// left. It is called with the lock held, so no capture is under way. A manifest
// that cannot be read counts, and goes when there are too many.
func prune(gitDir string, now time.Time) error {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return err
	}
	kept := 0
	for _, id := range ids {
		s, err := ReadSnapshot(gitDir, id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// What a capture was killed over may still be written to by its git;
			// then it goes another time.
			_ = remove(gitDir, id)
			continue
		case kept == KeptSnapshots:
		case err == nil && kept > 0 && now.Sub(s.Time) > KeptSnapshotAge:
		default:
			kept++
			continue
		}
		if err := remove(gitDir, id); err != nil {
			return err
		}
	}
	return nil
}

// share puts links to the objects of the newest snapshot in place of those of s
// that are equal to them: what stays untracked from prompt to prompt is stored
// once. Objects never change, and one that cannot be linked stays a copy.
func share(gitDir string, s *Snapshot) error {
	last, _ := LastSnapshot(gitDir)
	if last == nil {
		return nil // or it cannot be read: then there is nothing to share either
	}
	root, err := os.OpenRoot(promptsDir(gitDir))
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), s.ID+"/objects", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		link := name + ".link"
		if linked := root.Link(last.ID+strings.TrimPrefix(name, s.ID), link) == nil; linked {
			return root.Rename(link, name)
		}
		return nil
	})
}
