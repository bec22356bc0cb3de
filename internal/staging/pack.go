package staging

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"

	"github.com/rulecheck/rulecheck/internal/git"
)

// looseObjects is the number of objects that are stored one by one; more are kept
// as a pack. It is git's limit for fetched objects.
const looseObjects = 100

// store writes the new contents to the object store.
func (s *staging) store(ctx context.Context) error {
	var contents [][]byte
	for _, f := range s.files {
		if f.after != "" {
			contents = append(contents, f.edit.After)
		}
	}
	packed, err := pack(s.repo.ObjectFormat, contents)
	if err != nil {
		return err
	}
	args := []string{"unpack-objects", "-q"}
	if len(contents) > looseObjects {
		args = []string{"index-pack", "--stdin"}
	}
	_, err = s.repo.Do(ctx, git.Call{Args: args, Stdin: bytes.NewReader(packed)})
	return err
}

// The pack format, version 2: https://git-scm.com/docs/pack-format.
const (
	packHead     = "PACK\x00\x00\x00\x02"
	packBlob     = 3 << 4 // type of the object, in the first byte of its size
	packSizeHere = 4      // bits of the size in that byte; 7 in each that follows
	packMore     = 0x80
)

// pack returns a pack of blobs.
func pack(format string, contents [][]byte) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(packHead)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(contents)))) //nolint:gosec // there are far fewer files than that
	for _, content := range contents {
		about, size := packBlob|byte(len(content)&(1<<packSizeHere-1)), len(content)>>packSizeHere
		for ; size > 0; size >>= 7 {
			b.WriteByte(about | packMore)
			about = byte(size & (packMore - 1))
		}
		b.WriteByte(about)
		deflated, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
		if err != nil {
			return nil, err
		}
		_, err = deflated.Write(content)
		if err := errors.Join(err, deflated.Close()); err != nil {
			return nil, err
		}
	}
	sum := git.NewHash(format)
	sum.Write(b.Bytes())
	return sum.Sum(b.Bytes()), nil
}
