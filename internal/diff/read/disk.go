package read

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing/fstest"
	"time"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// Disk is the working tree: the files on disk, and texts in the place of some, such as those
// that an editor has not saved. A text counts where a file is that can be written, or could be
// one: in the place of a regular file, or in a directory that has nothing with its name.
type Disk struct {
	*os.Root

	texts map[string][]byte // by path
}

// OpenDisk opens a working tree by its top. The caller closes it.
func OpenDisk(top string, texts map[string][]byte) (Disk, error) {
	root, err := os.OpenRoot(top)
	return Disk{root, texts}, err
}

// Lstat describes a file, a symlink or a directory.
func (d Disk) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.Root.Lstat(name)
	if text, ok := d.texts[name]; ok && instead(info, err) {
		return textInfo{path.Base(name), text, modeOf(info)}, nil
	}
	return info, err
}

// instead reports whether a text counts in the place of a file.
func instead(info fs.FileInfo, err error) bool {
	return err == nil && info.Mode().IsRegular() || err != nil && os.IsNotExist(err)
}

// modeOf returns the mode of a file that is written, or nil for a new one.
func modeOf(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return 0o644
	}
	return info.Mode()
}

// Open opens a file or a directory.
func (d Disk) Open(name string) (fs.File, error) {
	if text, ok := d.texts[name]; ok {
		if info, err := d.Root.Lstat(name); instead(info, err) {
			return textFile{textInfo{path.Base(name), text, modeOf(info)}, bytes.NewReader(text)}, nil
		}
	}
	return d.Root.Open(name)
}

// ReadDir lists a directory in no order; the top is ".".
func (d Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := d.Root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	list, err := dir.ReadDir(-1)
	for text, content := range d.texts {
		if path.Dir(text) != name {
			continue
		}
		base := path.Base(text)
		if !slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == base }) {
			list = append(list, fs.FileInfoToDirEntry(textInfo{base, content, modeOf(nil)}))
		}
	}
	return list, err
}

// fs returns the files as a file system that is read when it is accessed.
func (d Disk) fs() fs.FS {
	disk := regular.RootFS(d.Root)
	if len(d.texts) == 0 {
		return disk
	}
	texts := fstest.MapFS{}
	for name, text := range d.texts {
		if info, err := Lstat(d, name); err == nil && info.Mode().IsRegular() {
			texts[name] = &fstest.MapFile{Data: text, Mode: info.Mode()}
		}
	}
	return Over(texts, disk)
}

// textInfo describes a file that has a text. It has no times, as if it was just written.
type textInfo struct {
	name string
	text []byte
	mode fs.FileMode
}

func (t textInfo) Name() string       { return t.name }
func (t textInfo) Size() int64        { return int64(len(t.text)) }
func (t textInfo) Mode() fs.FileMode  { return t.mode }
func (t textInfo) ModTime() time.Time { return time.Time{} }
func (t textInfo) IsDir() bool        { return false }
func (t textInfo) Sys() any           { return nil }

// textFile is a text that is read as a file.
type textFile struct {
	textInfo
	*bytes.Reader
}

func (t textFile) Stat() (fs.FileInfo, error) { return t.textInfo, nil }
func (t textFile) Close() error               { return nil }
func (t textFile) Size() int64                { return t.textInfo.Size() }
