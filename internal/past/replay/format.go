package replay

import (
	"fmt"
	"io"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Format writes a report.
type Format struct {
	Name, Title string
	Write       func(io.Writer, *Report) error
}

// formats is the table of formats.
var formats = []Format{
	{"text", "for people at a terminal", writeText},
	{"json", "for programs, with every commit", writeJSON},
	{"markdown", "for comments and documents", writeMarkdown},
	{"html", "one page with charts", writeHTML},
}

// Formats lists all formats.
func Formats() []Format { return append([]Format(nil), formats...) }

// LookupFormat returns the format with a name.
func LookupFormat(name string) (Format, error) {
	names := make([]string, 0, len(formats))
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q%s", name, suggest.OneOf(name, names))
}

func writeJSON(w io.Writer, r *Report) error { return plain.WriteJSON(w, r) }
