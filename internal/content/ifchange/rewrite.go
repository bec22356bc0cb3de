package ifchange

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/language"
)

// Rewrite returns a file with the directives of other linters in the form of this one:
// labels after ":" instead of "#", no quotes, and blocks instead of LINT.Label. The other
// text is the same.
func Rewrite(name, content string) string {
	if strings.IndexByte(content, 0) >= 0 || !strings.Contains(content, prefix) {
		return content
	}
	lines := slices.Collect(strings.Lines(content))
	for _, d := range directivesOf(language.Of(name).Comments(strings.TrimPrefix(content, "\ufeff"))) {
		if d.wrong != "" {
			continue
		}
		at := &lines[d.line-1]
		switch d.word {
		case labelWord:
			*at = strings.Replace(*at, labelWord, ifWord, 1)
		case endLabelWord:
			*at = strings.Replace(strings.Replace(*at, endLabelWord+"()", endLabelWord, 1), endLabelWord, thenWord+"()", 1)
		}
		for _, e := range d.entries {
			lines[e.line-1] = replaceEntry(lines[e.line-1], e.text, canonical(e.text, d.word))
		}
	}
	return strings.Join(lines, "")
}

// replaceEntry replaces an entry of a list in its line, after the word of the directive.
func replaceEntry(line, entry, by string) string {
	if entry == by {
		return line
	}
	from := 0
	for _, word := range words {
		if i := strings.Index(line, word+"("); i >= 0 {
			from = i + len(word)
		}
	}
	return line[:from] + strings.Replace(line[from:], entry, by, 1)
}

// canonical returns an entry without quotes and with ":" before its label.
func canonical(entry, word string) string {
	text := quotation(entry)
	if i := strings.LastIndexByte(text, '#'); i >= 0 && word == thenWord && labelForm().MatchString(text[i+1:]) {
		text = text[:i] + ":" + text[i+1:]
	}
	return text
}

// Foreign is a text in the form of another linter.
type Foreign struct {
	Line       int
	Text, Want string
}

// compare records what Rewrite would rewrite in a directive.
func (b *builder) compare(d directive) {
	if d.wrong != "" {
		return
	}
	if by, foreign := rewritten[d.word]; foreign {
		b.Foreign = append(b.Foreign, Foreign{d.line, d.word, by})
	}
	for _, e := range d.entries {
		if want := canonical(e.text, d.word); want != e.text {
			b.Foreign = append(b.Foreign, Foreign{e.line, finish(e.text), finish(want)})
		}
	}
}

// rewritten are the words of other linters, and what they are here.
var rewritten = map[string]string{labelWord: ifWord, endLabelWord: thenWord + "()"}
