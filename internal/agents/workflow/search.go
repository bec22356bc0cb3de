package workflow

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

// Entry is a document to index.
type Entry struct {
	Phase    string
	Document *gate.Document
}

// Index finds sections of phase documents by keywords. It returns any section, so
// documents of phases that are not accessible yet must not be indexed. It is safe
// for concurrent use.
type Index struct {
	sections []indexed
	holding  map[string]int // number of sections with a term
	average  float64        // average length of a section, in terms
}

// indexed is a section with the count of each term.
type indexed struct {
	phase, file string
	gate.Section

	terms  map[string]int
	length int
}

// NewIndex indexes the sections of documents.
func NewIndex(entries []Entry) *Index {
	x := &Index{holding: map[string]int{}}
	total := 0
	for _, e := range entries {
		for _, s := range e.Document.Sections {
			// A word of the heading counts twice.
			words := slices.Concat(terms(s.Heading), terms(s.Heading), terms(s.Text))
			in := indexed{phase: e.Phase, file: e.Document.File, Section: s, terms: map[string]int{}, length: len(words)}
			for _, w := range words {
				in.terms[w]++
			}
			for w := range in.terms {
				x.holding[w]++
			}
			total += in.length
			x.sections = append(x.sections, in)
		}
	}
	x.average = float64(total) / float64(max(1, len(x.sections)))
	return x
}

// Query describes a search.
type Query struct {
	// Text holds keywords; a section must contain at least one. Stop words such as
	// "the" are ignored. Empty text matches every section that passes the filters.
	Text string
	// Phases and Tags are filters: a section must belong to one of the phases and
	// have all tags. Empty filters match everything.
	Phases []string
	Tags   []string
	// Limit is the maximum number of hits; 0 is [DefaultLimit].
	Limit int
}

// DefaultLimit is the maximum number of hits of a query without a limit.
const DefaultLimit = 10

// Hit is a section found.
type Hit struct {
	Phase   string   `json:"phase"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Heading string   `json:"heading"`
	Tags    []string `json:"tags"`
	Score   float64  `json:"score"`
	Text    string   `json:"text"`
}

// Search returns the matching sections by descending score, and by document order
// if scores are equal.
func (x *Index) Search(q Query) []Hit {
	wanted := terms(q.Text)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	hits := []Hit{}
	for _, s := range x.sections {
		if !q.admits(s) {
			continue
		}
		score, found := x.score(s, wanted)
		if !found && strings.TrimSpace(q.Text) != "" {
			continue
		}
		hits = append(hits, Hit{
			Phase: s.phase, File: s.file, Line: s.Line, Heading: s.Heading,
			Tags: append([]string{}, s.Tags...), Score: score, Text: s.Text,
		})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	return hits[:min(len(hits), limit)]
}

// admits reports whether a section passes the filters.
func (q Query) admits(s indexed) bool {
	if len(q.Phases) > 0 && !slices.Contains(q.Phases, s.phase) {
		return false
	}
	for _, tag := range q.Tags {
		if !slices.Contains(s.Tags, strings.ToLower(tag)) {
			return false
		}
	}
	return true
}

// The usual constants of Okapi BM25.
const (
	saturation = 1.2  // k1
	lengthBias = 0.75 // b
)

// score rates a section by Okapi BM25 (Robertson and Zaragoza, The
// Probabilistic Relevance Framework, 2009) with weights that are never negative.
func (x *Index) score(s indexed, wanted []string) (float64, bool) {
	score, found := 0.0, false
	for _, w := range wanted {
		frequency := float64(s.terms[w])
		if frequency == 0 {
			continue
		}
		found = true
		holding := float64(x.holding[w])
		rarity := math.Log(1 + (float64(len(x.sections))-holding+0.5)/(holding+0.5))
		score += rarity * frequency * (saturation + 1) / (frequency + saturation*(1-lengthBias+lengthBias*float64(s.length)/x.average))
	}
	return score, found
}

// terms returns the stems of the words of a text, without stop words.
func terms(content string) []string {
	words := strings.FieldsFunc(content, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	stems := make([]string, 0, len(words))
	for _, w := range words {
		if w = strings.ToLower(w); !english.IsStopWord(w) {
			stems = append(stems, english.Stem(w, true))
		}
	}
	return stems
}
