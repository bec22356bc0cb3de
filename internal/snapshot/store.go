package snapshot

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

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// lock waits for the exclusive lock on the snapshots. The system releases it when the
// process ends.
func lock(ctx context.Context, gitDir string) (unlock func(), err error) {
	if err := ownDirs(gitDir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dirOf(gitDir), 0o700); err != nil {
		return nil, err
	}
	if unlock, err = atomicfile.Lock(ctx, dirOf(gitDir)+".lock"); err != nil {
		return nil, fmt.Errorf("lock the snapshots of prompts: %w", err)
	}
	return unlock, nil
}

// nextID returns an id greater than every id in use. The random half keeps the id of a
// dropped snapshot from being used again.
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
		return "", &diff.NoVerdictError{Reason: "no id is left after that of prompt " + ids[0], Fix: "rulecheck snapshot drop --all"}
	}
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", number+1) + hex.EncodeToString(random[:]), nil
}

// Capture records a snapshot and drops those that are too many or too old. The function fill
// stores the objects below the snapshot's own object directory and completes the snapshot.
// Captures exclude one another; an interrupted one leaves no snapshot.
func Capture(ctx context.Context, gitDir string, s *Snapshot, fill func(home string) error) error {
	unlock, err := lock(ctx, gitDir)
	if err != nil {
		return err
	}
	defer unlock()
	id, err := nextID(gitDir)
	if err != nil {
		return err
	}
	s.Version, s.ID = manifestVersion, id
	home := filepath.Join(dirOf(gitDir), id)
	err = os.MkdirAll(s.Objects(gitDir), 0o700)
	if err == nil {
		err = fill(home)
	}
	if err == nil {
		err = linkObjects(gitDir, s)
	}
	if err == nil {
		err = writeManifest(home, s)
	}
	if err != nil {
		_ = remove(gitDir, id) // the next capture removes the rest
		return err
	}
	return prune(gitDir, s.Time)
}

// writeManifest completes a snapshot atomically.
func writeManifest(home string, s *Snapshot) error {
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

// Drop removes one snapshot. The error is fs.ErrNotExist if it does not exist.
func Drop(ctx context.Context, gitDir, id string) error {
	if err := validID(id); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dirOf(gitDir), id, manifestFile)); err != nil {
		return fmt.Errorf("prompt %s: no such snapshot: %w", id, fs.ErrNotExist)
	}
	unlock, err := lock(ctx, gitDir)
	if err != nil {
		return err
	}
	defer unlock()
	return remove(gitDir, id)
}

// DropAll removes all snapshots.
func DropAll(ctx context.Context, gitDir string) error {
	ids, err := snapshotIDs(gitDir)
	if err != nil || len(ids) == 0 {
		return err
	}
	unlock, err := lock(ctx, gitDir)
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

// remove deletes the manifest first, so that an interrupted removal leaves no snapshot.
func remove(gitDir, id string) error {
	home := filepath.Join(dirOf(gitDir), id)
	if err := os.Remove(filepath.Join(home, manifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(home)
}

// prune drops snapshots that are too many or too old, and the directories of interrupted
// captures. The caller holds the lock, so no capture is under way. A snapshot whose manifest
// cannot be read counts, and is dropped when there are too many.
func prune(gitDir string, now time.Time) error {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return err
	}
	kept := 0
	for _, id := range ids {
		s, err := Read(gitDir, id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// A git process of a killed capture may still write to it; a later
			// capture removes it then.
			_ = remove(gitDir, id)
			continue
		case kept == Kept:
		case err == nil && kept > 0 && now.Sub(s.Time) > KeptAge:
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

// linkObjects replaces those objects of s that the newest snapshot also has by hard links to
// them, so that files that stay untracked are stored once. Objects never change, and one
// that cannot be linked remains a copy.
func linkObjects(gitDir string, s *Snapshot) error {
	last, _ := Last(gitDir)
	if last == nil {
		return nil // an unreadable snapshot shares nothing either
	}
	root, err := os.OpenRoot(dirOf(gitDir))
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
