package watch

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Watcher watches directories.
type Watcher struct {
	file  *os.File
	fd    int              // of it: with os.File.Fd, deadlines would stop to work
	paths map[int32]string // by watch
	skip  func(dir string) bool
	below map[string]bool // whether a directory is watched with all below
	now   func() time.Time
}

// Open begins to watch the directories of trees, without those that skip chooses, and single ones.
func Open(trees, single []string, skip func(dir string) bool, now func() time.Time) (*Watcher, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	w := &Watcher{os.NewFile(uintptr(fd), "inotify"), fd, map[int32]string{}, skip, map[string]bool{}, now}
	for _, dir := range single {
		err = errors.Join(err, w.add(dir, false))
	}
	for _, dir := range trees {
		err = errors.Join(err, w.addAll(dir))
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.file.Close() }

const wanted = unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO |
	unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW | unix.IN_EXCL_UNLINK

func (w *Watcher) add(dir string, below bool) error {
	wd, err := unix.InotifyAddWatch(w.fd, dir, wanted)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EACCES):
		return nil // it is gone, or git cannot read it either
	case errors.Is(err, unix.ENOSPC):
		return fmt.Errorf("there are too many directories to watch after %d; raise fs.inotify.max_user_watches", len(w.paths))
	case err != nil:
		return os.NewSyscallError("inotify_add_watch", err)
	}
	w.paths[int32(wd)], w.below[dir] = dir, below //nolint:gosec // it is a small number
	return nil
}

// addAll watches a directory and all below it.
func (w *Watcher) addAll(top string) error {
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil //nolint:nilerr // it is gone meanwhile, or cannot be read
		}
		if path != top && w.skip(path) {
			return filepath.SkipDir
		}
		return w.add(path, true)
	})
}

// Wait waits until something changed since the last call, and then for a moment in which nothing
// does, but not for ever. It returns what changed; nothing, if some of it was lost.
func (w *Watcher) Wait(ctx context.Context) ([]string, error) {
	if err := w.file.SetReadDeadline(time.Time{}); err != nil { // first: it would undo the next one
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = w.file.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	var changed []string
	var end time.Time
	for {
		buffer := make([]byte, 64<<10)
		n, err := w.file.Read(buffer)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, os.ErrDeadlineExceeded):
			return changed, nil
		case err != nil:
			return nil, err
		}
		names, all, err := w.events(buffer[:n])
		if all || err != nil {
			return nil, err
		}
		if changed = append(changed, names...); len(changed) == 0 {
			continue
		}
		now := w.now()
		if end.IsZero() {
			end = now.Add(longest)
		}
		deadline := now.Add(quiet)
		if deadline.After(end) {
			deadline = end
		}
		if err := w.file.SetReadDeadline(deadline); err != nil {
			return nil, err
		}
	}
}

// events returns what events are about; all, if some were lost. It watches new directories.
func (w *Watcher) events(b []byte) (changed []string, all bool, err error) {
	for len(b) >= unix.SizeofInotifyEvent {
		wd, mask := int32(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint32(b[4:]) //nolint:gosec // it has a sign
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
		if end > len(b) {
			return nil, true, nil
		}
		name := strings.TrimRight(string(b[unix.SizeofInotifyEvent:end]), "\x00")
		b = b[end:]
		dir, known := w.paths[wd]
		switch {
		case mask&unix.IN_Q_OVERFLOW != 0:
			return nil, true, nil
		case mask&unix.IN_IGNORED != 0:
			delete(w.paths, wd)
			continue
		case !known, !w.below[dir] && strings.HasSuffix(name, ".lock"): // git's, and not that of a package manager
			continue
		}
		path := filepath.Join(dir, name)
		if mask&unix.IN_ISDIR != 0 && mask&(unix.IN_CREATE|unix.IN_MOVED_TO) != 0 && w.below[dir] && !w.skip(path) {
			if err := w.addAll(path); err != nil {
				return nil, false, err
			}
		}
		changed = append(changed, path)
	}
	return changed, false, nil
}

// Exact reports whether only changes end a wait.
const Exact = true
