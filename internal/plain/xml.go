package plain

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteXML writes a value as an indented XML document for programs. Characters that cannot
// be seen are character references; those that XML does not allow at all must have been
// removed, as [Line] and [Block] do.
func WriteXML(w io.Writer, v any) error {
	text, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	safe := escapeInvisible(string(text), func(r rune) string {
		if r == '\n' {
			return "\n" // between elements, or in a text
		}
		return fmt.Sprintf("&#x%x;", r)
	})
	safe = strings.ReplaceAll(safe, runnerCommand, "##&#x5b;")
	_, err = io.WriteString(w, xml.Header+safe+"\n")
	return err
}
