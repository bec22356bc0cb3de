package lsp

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// unsaved returns the directory to check, which edits of open documents a check of it sees, and
// the texts of those that differ from their files. A document that was not edited since it was
// saved has no text: its file may have changed meanwhile.
func (s *server) unsaved() (dir string, seen map[*document]int, texts map[string][]byte) {
	seen, texts = map[*document]int{}, map[string][]byte{}
	edited := map[string]*document{}
	s.mutex.Lock()
	dir, root := s.dir, s.root
	for name, d := range s.open {
		if seen[d] = d.edits; d.saved != d.edits && name != messageFile {
			edited[name], texts[name] = d, []byte(d.text)
		}
	}
	s.mutex.Unlock()
	disk := regular.DirFS(root)
	for name, text := range texts {
		saved, err := regular.ReadFS(disk, name, maxMessage)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || !utf8.Valid(saved) || bytes.IndexByte(saved, 0) >= 0: // in which encoding it will be saved is not known
			delete(texts, name)
			delete(seen, edited[name])
			continue
		}
		if strings.HasPrefix(string(saved), byteOrderMark) && !strings.HasPrefix(string(text), byteOrderMark) {
			text = append([]byte(byteOrderMark), text...) // which editors do not show
		}
		if texts[name] = text; bytes.Equal(text, saved) {
			delete(texts, name)
		}
	}
	return dir, seen, texts
}

const byteOrderMark = "\ufeff"
