package mentions

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// linkTargets match the targets of links in a line of markdown: in brackets, of a definition
// and in HTML.
var (
	inlineTarget = lazyregexp.New(`\]\(\s*(?:<([^<>]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))`)
	definition   = lazyregexp.New(`^ {0,3}\[[^\]]+\]:\s*(?:<([^<>]*)>|(\S+))`)
	attribute    = lazyregexp.New(`\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// markdownWords finds the targets of links in a line, and the plain words elsewhere in it.
func markdownWords(line []byte, found func(word)) {
	var spans [][2]int
	add := func(matches [][]int) {
		for _, m := range matches {
			from, to := m[2], m[3]
			if from < 0 {
				from, to = m[4], m[5]
			}
			spans = append(spans, [2]int{from, to})
		}
	}
	if bytes.Contains(line, []byte("](")) {
		add(inlineTarget().FindAllSubmatchIndex(line, -1))
	}
	if bytes.Contains(line, []byte("]:")) {
		add(definition().FindAllSubmatchIndex(line, -1))
	}
	if bytes.Contains(line, []byte("href")) || bytes.Contains(line, []byte("src")) {
		add(attribute().FindAllSubmatchIndex(line, -1))
	}
	if len(spans) > 0 {
		line = bytes.Clone(line)
		slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	}
	for _, s := range spans {
		if target, ok := targetOf(line[s[0]:s[1]]); ok {
			found(word{target, link})
		}
	}
	for _, s := range spans {
		copy(line[s[0]:s[1]], bytes.Repeat([]byte(" "), s[1]-s[0]))
	}
	plainWords(line, found)
}

// siteDirectories are names in lower case of directories at the root with the pages of a site.
var siteDirectories = []string{"doc", "docs", "documentation", "site", "website", "www"}

// ofReader reports whether a page of a site has, as text, a path from the root into the same site.
// It names other pages with links, so that such a path is of a project of its readers.
func ofReader(page, name string) bool {
	site, _, _ := strings.Cut(page, "/")
	return slices.Contains(siteDirectories, strings.ToLower(site)) && strings.HasPrefix(name, site+"/")
}

// targetOf returns the path of a link; ok is false for a URL and for a place in the same file.
func targetOf(target []byte) (name []byte, ok bool) {
	text, _, _ := strings.Cut(string(target), "#")
	text, _, _ = strings.Cut(text, "?")
	if text == "" || strings.HasPrefix(text, "//") || strings.ContainsAny(text, `:{}$*\`) {
		return nil, false
	}
	if decoded, err := url.PathUnescape(text); err == nil {
		text = decoded
	}
	return []byte(text), true
}

// fence is an open block of code in markdown.
type fence struct {
	mark   string // what closes it; empty: none is open
	counts bool   // words in it count
}

// next reads a line. It reports whether the line is code, and whether words in it count.
func (f *fence) next(line []byte) (code, counts bool) {
	text := strings.TrimLeft(string(line), " \t>")
	if f.mark != "" {
		if rest := strings.TrimLeft(text, f.mark[:1]); len(text)-len(rest) >= len(f.mark) && strings.TrimSpace(rest) == "" {
			f.mark = ""
		}
		return true, f.counts
	}
	text = strings.TrimLeft(text, "-*+0123456789.) \t") // the sign of an item
	for _, sign := range []string{"`", "~"} {
		info := strings.TrimLeft(text, sign)
		n := len(text) - len(info)
		if n < 3 || sign == "`" && strings.Contains(info, sign) {
			continue
		}
		f.mark = text[:n]
		language, _, _ := strings.Cut(strings.TrimSpace(info), " ")
		language, _, _ = strings.Cut(strings.Trim(language, "{}."), ",")
		f.counts = slices.Contains(fenceLanguages, strings.ToLower(language))
		return true, false
	}
	return false, true
}
