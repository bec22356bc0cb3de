package mentions

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// finder looks up the words of files in the names that are gone.
type finder struct {
	head  tree
	gone  map[string]*gone
	lasts map[string]bool // the last elements of the names that are gone
	texts map[*kind][]string
}

func newFinder(all map[string]*gone, head tree) *finder {
	f := &finder{head: head, gone: all, lasts: make(map[string]bool, len(all)), texts: map[*kind][]string{}}
	for name := range all {
		f.lasts[path.Base(name)] = true
	}
	for i := range kinds {
		f.texts[&kinds[i]] = f.textsOf(&kinds[i])
	}
	return f
}

// hit is a line that names something that is gone.
type hit struct {
	line int
	*gone
}

// sought lists files by the texts that they have if they name what is gone.
func (f *finder) sought(names []string) []diff.Sought {
	paths := map[*kind][]string{}
	for _, name := range names {
		k := kindOf(name)
		paths[k] = append(paths[k], name)
	}
	var lists []diff.Sought
	for i := range kinds {
		k := &kinds[i]
		same := slices.IndexFunc(lists, func(s diff.Sought) bool { return slices.Equal(s.Texts, f.texts[k]) })
		switch {
		case len(paths[k]) == 0:
		case same >= 0:
			lists[same].Paths = append(lists[same].Paths, paths[k]...)
		default:
			lists = append(lists, diff.Sought{Paths: paths[k], Texts: f.texts[k]})
		}
	}
	return lists
}

// find returns the lines of a file that name what is gone, each name once in a line. A file in a
// binary format names nothing.
func (f *finder) find(name string, content []byte) []hit {
	k := kindOf(name)
	if charset.IsFormat(name, content) {
		return nil
	}
	content, _ = charset.Text(content)
	content = bytes.ReplaceAll(content, []byte{0}, nil) // as programs read it that drop NULs
	if !f.mayName(k, content) || generated(content) {
		return nil
	}
	var hits []hit
	number, first := 0, 0
	look := func(w word) {
		g := f.named(name, k, w)
		if g == nil {
			return
		}
		for _, other := range hits[first:] {
			if other.gone == g {
				return
			}
		}
		hits = append(hits, hit{number, g})
	}
	var block fence
	for line := range bytes.Lines(content) {
		number++
		first = len(hits)
		words := k.words
		if k.fences {
			code, counts := block.next(line)
			if code {
				words = plainWords
			}
			if !counts {
				continue
			}
		}
		words(line, look)
	}
	return hits
}

// fewLasts is the number of names up to which looking for each takes less time than to find words.
const fewLasts = 32

// textsOf returns texts: a file of a kind has one of them if it names what is gone: the last
// element of a name, or the sign with which links write characters. It returns none if these
// are too many to look for each.
func (f *finder) textsOf(k *kind) []string {
	if len(f.lasts) > fewLasts {
		return nil
	}
	var texts []string
	for _, last := range slices.Sorted(maps.Keys(f.lasts)) {
		if !k.alone {
			last = "/" + last
		}
		texts = append(texts, last)
	}
	if k.fences {
		texts = append(texts, "%")
	}
	return texts
}

// mayName reports whether a text may name what is gone.
func (f *finder) mayName(k *kind, content []byte) bool {
	texts := f.texts[k]
	return len(texts) == 0 || slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(content, []byte(text)) })
}

// named returns what a word of a file names, if that is gone and the word names nothing else.
func (f *finder) named(file string, k *kind, w word) *gone {
	text := w.text
	rooted := len(text) > 0 && text[0] == '/' && w.form != plain
	text = bytes.TrimRight(text, "/")
	if !f.lasts[string(text[bytes.LastIndexByte(text, '/')+1:])] { // nearly every word
		return nil
	}
	name := strings.TrimLeft(string(text), "/")
	dir := path.Dir(file)
	var bases []string
	switch {
	case w.form == plain && !inDirectory(name, text[0] == '/'):
		return nil
	case rooted || w.form == owner || k.rootOnly:
		bases = []string{"."}
	case w.form == link:
		bases = []string{dir}
	default:
		bases = []string{dir, "."}
	}
	for _, base := range bases {
		g := f.gone[path.Join(base, name)]
		if g == nil || base != dir && k.fences && w.form == plain && ofReader(file, g.name) {
			continue
		}
		if !f.resolves(file, name, w, rooted) {
			return g
		}
	}
	return nil
}

// inDirectory reports whether a plain word says in which directory a file is. A program in the
// current directory, as in ./configure, may be any.
func inDirectory(name string, ofMachine bool) bool {
	last, current := strings.CutPrefix(name, "./")
	return !ofMachine && (strings.Contains(last, "/") || current && strings.Contains(last, "."))
}

// resolves reports whether head has what a word may mean instead: read from a directory above
// the file, which may be the root of a package, or, for a pattern of owners, anywhere.
func (f *finder) resolves(file, name string, w word, rooted bool) bool {
	if w.form == owner && !rooted && !strings.Contains(name, "/") {
		return f.head.hasLast(name)
	}
	if w.form == link && !strings.Contains(name, "/") {
		return false // it is relative to the file
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		at := path.Join(dir, name)
		if f.head.has(at) || f.head.through(at) || f.head.below(at+".") { // a page, or a module, in place of the directory
			return true
		}
		if dir == "." {
			return false
		}
	}
}
