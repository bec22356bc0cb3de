package report

import (
	"cmp"
	"fmt"
	"slices"
)

// logTrouble is what logs hold that could not be read, and of how much it speaks.
type logTrouble struct {
	list         []Diagnostic // by file and line
	count, files int
}

// troubles are the diagnostics of all logs: those that may hide events, and the rest.
func (r *Report) troubles() (lost, harmless logTrouble) {
	all := slices.Clone(r.Diagnostics)
	for _, s := range r.Sessions {
		all = append(all, s.Diagnostics...)
	}
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
	for _, d := range all {
		t := &harmless
		if d.Loss {
			t = &lost
		}
		if n := len(t.list); n == 0 || t.list[n-1].File != d.File {
			t.files++
		}
		t.list = append(t.list, d)
		t.count += max(d.Count, 1)
	}
	return lost, harmless
}

// lostLine and oddLine say what became of a log's lines; empty where all is well.
func (t logTrouble) lostLine() string {
	if t.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s could not be read; what they told was not judged", Count(t.count, "line"), Count(t.files, "file"))
}

func (t logTrouble) oddLine() string {
	if t.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s are odd, with nothing lost", Count(t.count, "line"), Count(t.files, "file"))
}

// String is the diagnostic as one line: "a.jsonl:7: 3 × lines that are not JSON objects".
func (d Diagnostic) String() string {
	message := cmp.Or(d.Message, d.Code)
	if d.Count > 1 {
		message = fmt.Sprintf("%d × %s", d.Count, message)
	}
	return filePlace(d.File, d.Line) + ": " + message
}
