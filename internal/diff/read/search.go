package read

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

// Containing returns those of the regular files of a working tree that contain a text, its
// ASCII letters in any case. Files are read piece by piece, however long they are.
func Containing(ctx context.Context, root Disk, names []string, text string) ([]string, error) {
	var found []string
	for _, name := range names {
		info, err := Lstat(root, name)
		if Absent(err) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		if err != nil {
			return nil, err
		}
		has, err := fileContains(ctx, root, name, text)
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, name)
		}
	}
	return found, nil
}

func fileContains(ctx context.Context, root Disk, name, text string) (bool, error) {
	file, err := root.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return Contains(ctx, file, text)
}

// Contains reports whether a stream contains a text, its ASCII letters in any case.
func Contains(ctx context.Context, from io.Reader, text string) (bool, error) {
	wanted := lower([]byte(text))
	size := max(64<<10, 2*len(wanted))
	r := bufio.NewReaderSize(from, size)
	for {
		piece, err := r.Peek(size)
		if bytes.Contains(lower(piece), wanted) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return false, err
		}
		if _, err := r.Discard(size - max(len(wanted)-1, 0)); err != nil { // the text may go on in the next piece
			return false, err
		}
	}
}

// lower returns a copy with ASCII letters in lower case and all other bytes as they are.
func lower(b []byte) []byte {
	copied := slices.Clone(b)
	for i, c := range copied {
		if c >= 'A' && c <= 'Z' {
			copied[i] = c + 'a' - 'A'
		}
	}
	return copied
}

// Below returns whether a path is one of paths or below one of them; any path is if paths is
// empty. It takes as long for many paths as for one.
func Below[T ~string | ~[]byte](paths []string) func(path T) bool {
	if len(paths) == 0 {
		return func(T) bool { return true }
	}
	set := setOf(paths)
	return func(path T) bool {
		for at := len(path); at > 0; at-- {
			if (at == len(path) || path[at] == '/') && set[string(path[:at])] {
				return true
			}
		}
		return false
	}
}
