package diff

import "github.com/rulecheck/rulecheck/internal/charset"

// TextOf returns the text of a file, decoded if it is UTF-16, or why it is not known: the file
// is in a binary format by its name and beginning, or has more than ContentLimit bytes. Of a file
// in Git LFS, it returns the text of the pointer and the reason.
func TextOf(name string, content []byte) (text *string, why Unread) {
	switch {
	case charset.IsFormat(name, content):
		return nil, UnreadFormat
	case len(content) > ContentLimit:
		return nil, UnreadLength
	case IsLFSPointer(content):
		why = UnreadLFS
	}
	decoded, _ := charset.Text(content)
	return new(string(decoded)), why
}
