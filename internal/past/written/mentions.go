package written

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// mention is a kind of files that a text names.
type mention struct {
	glob string
	at   int  // where the text names it
	line int  // after the first one of the text
	file bool // it is one file
}

// repository looks up names in the files of a repository.
type repository struct {
	files []string
	is    map[string]bool     // files
	dirs  map[string]bool     // and their directories
	bases map[string][]string // files by name
	exts  map[string]bool     // all endings of names that begin with a dot
}

func newRepository(files []string) *repository {
	r := &repository{files: files, is: map[string]bool{}, dirs: map[string]bool{}, bases: map[string][]string{}, exts: map[string]bool{}}
	for _, file := range files {
		r.is[file] = true
		base := path.Base(file)
		r.bases[base] = append(r.bases[base], file)
		for i := range base {
			if base[i] == '.' && i > 0 {
				r.exts[base[i:]] = true
			}
		}
		for dir := path.Dir(file); dir != "." && !r.dirs[dir]; dir = path.Dir(dir) {
			r.dirs[dir] = true
		}
	}
	return r
}

var (
	codeSpan   = lazyregexp.New("`([^`\n]{1,200})`")
	linkTarget = lazyregexp.New(`\]\(([^)\s]{1,300})\)`)
	quotedText = lazyregexp.New(`"([^"\n]{1,200})"|'([^'\n]{1,200})'`)
	bareWord   = lazyregexp.New(`[^\s\x60"'()\[\]|,;=]{2,200}`)
	forgeURL   = lazyregexp.New(`^https?://[^/]+/[^/]+/[^/]+/(?:-/)?(?:blob|tree)/[^/]+/([^#?]+)`)
	patsubst   = lazyregexp.New(`patsubst\s+([^,\s]+),([^,\s]+),`)
	shellRoot  = lazyregexp.New(`^\$(\w+|\{\w+\}|\(\w+\)|\{\{[^}]*\}\})/`)
)

// mentions returns the files that a text names, each kind once.
func (r *reader) mentions(document, text string) []mention {
	var list []mention
	add := func(at int, globs ...string) {
		for _, glob := range globs {
			if !slices.ContainsFunc(list, func(m mention) bool { return m.glob == glob }) {
				list = append(list, mention{glob, at, strings.Count(text[:at], "\n"), r.is[glob]})
			}
		}
	}
	type word struct {
		at   int
		text string
		bare bool
	}
	var found []word
	for i, expression := range []func() *regexp.Regexp{codeSpan, linkTarget, quotedText, patsubst, bareWord} {
		for _, m := range expression().FindAllStringSubmatchIndex(text, 1000) {
			if len(m) == 2 {
				m = append(m, m[0], m[1])
			}
			for g := 2; g+1 < len(m); g += 2 {
				if m[g] >= 0 {
					for part := range strings.FieldsSeq(text[m[g]:m[g+1]]) {
						found = append(found, word{m[g], part, i == 4})
					}
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b word) int { return a.at - b.at })
	for _, w := range found {
		add(w.at, r.resolve(document, w.text, w.bare)...)
	}
	for _, kind := range commonWords {
		for _, at := range kind.word().FindAllStringIndex(text, 100) {
			if !inName(text, at[0], at[1]) {
				add(at[0], kind.globs(r.repository)...)
				break
			}
		}
	}
	return list
}

// inName reports whether a part of a text is one of a file's name or an address.
func inName(text string, from, to int) bool {
	const parts = "/._-:@`"
	return from > 0 && strings.IndexByte(parts, text[from-1]) >= 0 || to+1 < len(text) && strings.IndexByte(parts, text[to]) >= 0 && text[to+1] > ' '
}

// resolve returns the globs of a word: what it names in the repository, if anything.
func (r *repository) resolve(document, word string, bare bool) []string {
	if m := forgeURL().FindStringSubmatch(word); m != nil {
		word = m[1]
	}
	word = shellRoot().ReplaceAllString(word, "")
	word, _, _ = strings.Cut(word, "#")
	word = strings.Trim(word, "\"'`()!,;:")
	word = strings.TrimRight(word, ".?")
	for strings.HasPrefix(word, "./") || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "../") {
		_, word, _ = strings.Cut(word, "/")
	}
	if word == "" || strings.Contains(word, "://") || strings.HasPrefix(word, "-") {
		return nil
	}
	clean := path.Clean(word)
	ext := word
	if len(ext) > 0 && ext[0] != '.' {
		ext = ""
	}
	switch {
	case strings.ContainsAny(word, "*<{%"):
		return r.glob(document, word)
	case r.is[clean]:
		return []string{clean}
	case r.dirs[clean] && (!bare || strings.Contains(word, "/")):
		return []string{clean + "/**"}
	case ext != "" && r.exts[ext]:
		return []string{"**/*" + ext}
	}
	sibling := path.Join(path.Dir(document), clean)
	switch bases := r.bases[clean]; {
	case r.is[sibling]:
		return []string{sibling}
	case r.dirs[sibling] && strings.Contains(word, "/"):
		return []string{sibling + "/**"}
	case len(bases) == 1 && strings.Contains(clean, "."):
		return bases
	case len(bases) > 1 && strings.Contains(clean, "."):
		return []string{"**/" + clean}
	case strings.Contains(clean, "/"):
		var ending []string
		for _, file := range r.bases[path.Base(clean)] {
			if strings.HasSuffix(file, "/"+clean) {
				ending = append(ending, file)
			}
		}
		if len(ending) == 1 {
			return ending
		}
	}
	return nil
}

// glob returns a word with wildcards, if its directory exists or its ending does.
func (r *repository) glob(document, word string) []string {
	first := strings.IndexAny(word, "*<{%")
	dir := path.Dir(word[:first] + "x")
	base := path.Base(word)
	ext := base[strings.LastIndexByte(base, '.')+1:]
	known := ext != base && r.exts["."+ext] || slices.ContainsFunc([]string{"*", "**"}, func(all string) bool { return base == all }) || r.bases[base] != nil
	switch {
	case dir == "." && !strings.Contains(word, "/"):
		if !known || base == "*" || base == "**" {
			return nil
		}
		return []string{"**/" + word}
	case dir == ".":
		if !known || strings.Trim(word, "*/") == "" {
			return nil
		}
		return []string{word}
	case r.dirs[dir]:
		return []string{word}
	case r.dirs[path.Join(path.Dir(document), dir)]:
		return []string{path.Join(path.Dir(document), word)}
	}
	return nil
}

// commonWord is a word for files that every reader knows.
type commonWord struct {
	word  func() *regexp.Regexp
	globs func(r *repository) []string
}

var commonWords = []commonWord{
	{lazyregexp.New(`(?i)\bchange ?log\b|\brelease notes?\b|\bnews fragment`), func(r *repository) []string {
		var list []string
		for _, file := range r.files {
			if base, _, _ := strings.Cut(strings.ToUpper(file), "."); !strings.Contains(file, "/") && slices.Contains([]string{"CHANGELOG", "CHANGES", "HISTORY", "NEWS", "RELEASES"}, base) {
				list = append(list, file)
			}
		}
		return append(list, r.existing("changelog", ".changelog", ".chloggen", "changelog.d", "changelogs", "news", "changes", ".changes", ".changeset")...)
	}},
	{lazyregexp.New(`(?i)\bsnapshots?\b`), func(r *repository) []string { return r.ending(".snap", ".ambr") }},
	{lazyregexp.New(`(?i)\bproto(buf|buffer|col buffer)?s?\b`), func(r *repository) []string { return r.ending(".proto") }},
	{lazyregexp.New(`(?i)\b(swagger|openapi)\b`), func(r *repository) []string { return r.containing("swagger", "openapi") }},
	{lazyregexp.New(`(?i)\bschemas?\b`), func(r *repository) []string { return r.containing("schema.json", "schema.graphql", "schema.yaml") }},
	{lazyregexp.New(`(?i)\b(docs|documentation)\b`), func(r *repository) []string {
		list := r.existing("docs", "doc", "documentation", "website", "site")
		if len(r.files) > 0 {
			list = append(list, "**/docs/**")
		}
		return list
	}},
}

func (r *repository) existing(dirs ...string) []string {
	var list []string
	for _, dir := range dirs {
		if r.dirs[dir] {
			list = append(list, dir+"/**")
		}
	}
	return list
}

func (r *repository) ending(exts ...string) []string {
	var list []string
	for _, ext := range exts {
		if r.exts[ext] {
			list = append(list, "**/*"+ext)
		}
	}
	return list
}

// mostNamed bounds the files that one word stands for.
const mostNamed = 4

func (r *repository) containing(parts ...string) []string {
	var list []string
	for _, file := range r.files {
		base := strings.ToLower(path.Base(file))
		data := slices.Contains([]string{".json", ".yaml", ".yml", ".graphql"}, path.Ext(base))
		if data && !vendored().MatchString(file) && slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(base, part) }) {
			list = append(list, file)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return list[:min(len(list), mostNamed)]
}
