package tend

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Write writes edits below a root, each file whole or not at all, and returns the paths that it
// wrote. A file that is no longer as it was read stays as it is. What a killed process left
// unfinished is replaced.
func Write(root *os.Root, edits []Edit) (written []string, err error) {
	for _, e := range edits {
		if err := e.write(root); err != nil {
			return written, err
		}
		written = append(written, e.File)
	}
	return written, nil
}

func (e Edit) write(root *os.Root) error {
	info, err := root.Lstat(e.File)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not written: it is no regular file", e.File)
	}
	now, err := regular.ReadFS(regular.RootFS(root), e.File, regular.Text)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, e.Before) {
		return fmt.Errorf("%s changed meanwhile, and is not written; run again", e.File)
	}
	unfinished := atomicfile.Unfinished(e.File)
	if err := root.Remove(unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := root.WriteFile(unfinished, e.After, info.Mode().Perm()); err != nil {
		return errors.Join(err, root.Remove(unfinished))
	}
	if err := root.Rename(unfinished, e.File); err != nil {
		return errors.Join(err, root.Remove(unfinished))
	}
	return nil
}
