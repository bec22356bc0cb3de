package session

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/mask"
)

// A deed is a command that ran, or a file that was edited.
type deed struct {
	at   time.Time
	text string // the command without the space around it, or the path in the project
	tool string
	sure bool // false: the log does not say whether it was done
}

// deeds are those of the calls that the measure counts, in time order.
func (m Measure) deeds(calls []ToolCall, root string) []deed {
	deeds := make([]deed, 0, len(calls))
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Status == Rejected:
		case m.Of == Commands && c.Kind == Command && m.counts(c.Command):
			if text := strings.TrimSpace(c.Command); text != "" {
				deeds = append(deeds, deed{at: c.At, text: text, sure: c.Done()})
			}
		case m.Of == Edits && c.Kind == FileEdit && c.Status != Error:
			for _, path := range c.Paths {
				if path = below(root, path); m.counts(path) {
					deeds = append(deeds, deed{at: c.At, text: path, tool: c.Name, sure: c.Done()})
				}
			}
		}
	}
	return deeds
}

func (m Measure) counts(text string) bool { return m.Matching == nil || m.Matching.MatchString(text) }

// below is a path relative to the root where it lies in it, with slashes.
func below(root, path string) string {
	if strings.Contains(root, `\`) {
		root, path = strings.ReplaceAll(root, `\`, "/"), strings.ReplaceAll(path, `\`, "/")
	}
	if root == "" {
		return path
	}
	return strings.TrimPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

// window is the run of deeds in [now−Within, now].
func (m Measure) window(deeds []deed, now time.Time) []deed {
	to := sort.Search(len(deeds), func(i int) bool { return deeds[i].at.After(now) })
	from := 0
	if m.Within > 0 {
		oldest := now.Add(-m.Within)
		from = sort.Search(to, func(i int) bool { return !deeds[i].at.Before(oldest) })
	}
	return deeds[from:to]
}

// highs are the record highs of the window as it moves over the deeds, of all
// that match, or else of those that are equal.
func (m Measure) highs(deeds []deed, sure bool) []high {
	counts := map[string]int64{}
	var highs []high
	oldest := 0
	for _, d := range deeds {
		if sure && !d.sure {
			continue
		}
		if m.Within > 0 {
			for start := d.at.Add(-m.Within); deeds[oldest].at.Before(start); oldest++ {
				if gone := deeds[oldest]; gone.sure || !sure {
					counts[m.group(gone)]--
				}
			}
		}
		group := m.group(d)
		counts[group]++
		if n := counts[group]; n > last(highs).count {
			highs = append(highs, high{n, d.at})
		}
	}
	return highs
}

func (m Measure) group(d deed) string {
	if m.Matching != nil {
		return ""
	}
	return d.text
}

func last(highs []high) high {
	if len(highs) == 0 {
		return high{}
	}
	return highs[len(highs)-1]
}

// describe shows the largest group of a window; of two as large, the one that
// began first.
func (m Measure) describe(window []deed) Metrics {
	sizes := map[string]int64{}
	for _, d := range window {
		if d.sure {
			sizes[m.group(d)]++
		}
	}
	x := Metrics{Subjects: []string{}, Events: []Event{}}
	largest := ""
	for _, d := range window {
		if n := sizes[m.group(d)]; d.sure && n > x.Count {
			x.Count, largest = n, m.group(d)
		}
	}
	window = slices.DeleteFunc(slices.Clone(window), func(d deed) bool { return !d.sure || m.group(d) != largest })

	const subjects, events = 10, 5
	shown := map[string]string{}
	for _, d := range window {
		if _, ok := shown[d.text]; ok {
			continue
		}
		shown[d.text] = ""
		if len(x.Subjects) < subjects {
			shown[d.text] = mask.Excerpt(d.text)
			x.Subjects = append(x.Subjects, shown[d.text])
		}
	}
	x.Distinct = int64(len(shown))
	for _, d := range window[max(0, len(window)-events):] {
		text := shown[d.text]
		if text == "" {
			text = mask.Excerpt(d.text)
		}
		x.Events = append(x.Events, Event{At: d.at, Tool: d.tool, Text: text})
	}
	return x
}
