package bash

import (
	"slices"
	"strings"
)

// Marks are characters in place of what a word does not show. They are private
// characters of Unicode, which a line that is read may not contain.
const (
	unknownWord  = '\ue000' // any text, within one word
	unknownWords = '\ue001' // any text, of any number of words
	plainText    = '\ue002' // some text without blanks or slashes that begins with no sign
	anyRun       = '\ue003' // *
	anyOne       = '\ue004' // ?
	classOpen    = '\ue005' // [
	anyDepth     = '\ue006' // any number of directories
	anyName      = '\ue007' // * that also matches a leading dot
	firstMark    = unknownWord
	lastMark     = anyName
)

func isMark(c rune) bool { return c >= firstMark && c <= lastMark }

func hasMark(s string) bool { return strings.ContainsFunc(s, isMark) }

// isUnknown reports whether a part of a word is not known at all.
func isUnknown(s string) bool {
	return strings.ContainsRune(s, unknownWord) || strings.ContainsRune(s, unknownWords)
}

// isGlob reports whether a word is a pattern of file names.
func isGlob(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c >= anyRun && c <= lastMark })
}

// isOpen reports whether a word may begin with any text, such as an option.
func isOpen(s string) bool {
	return strings.HasPrefix(s, string(unknownWord)) || strings.HasPrefix(s, string(unknownWords))
}

var shown = strings.NewReplacer(
	string(unknownWord), "…", string(unknownWords), "…", string(plainText), "…",
	string(anyRun), "*", string(anyOne), "?", string(classOpen), "[", string(anyDepth), "**", string(anyName), "*",
)

// show returns a word for people.
func show(s string) string { return shown.Replace(s) }

var globbed = strings.NewReplacer("*", string(anyRun), "?", string(anyOne), "[", string(classOpen))

// glob marks the wildcards of a text.
func glob(s string) string { return globbed.Replace(s) }

// unglob returns the text in which wildcards are ordinary characters.
func unglob(s string) string {
	return strings.NewReplacer(string(anyRun), "*", string(anyOne), "?", string(classOpen), "[").Replace(s)
}

// join marks the unknown parts of a text as parts of one word.
func join(s string) string {
	return strings.ReplaceAll(s, string(unknownWords), string(unknownWord))
}

// globbing are the options of the shell that change what a pattern matches.
type globbing struct{ dots, stars, fold bool }

// matching returns a word whose wildcards match what they do with the options. A
// GLOBIGNORE that is set makes names with a leading dot match too.
func (g globbing) matching(marked string, ignore bool) string {
	if !ignore && g == (globbing{}) || !isGlob(marked) {
		return marked
	}
	if g.fold {
		marked = glob(folded(marked, true))
	}
	segments := strings.Split(marked, "/")
	for i, s := range segments {
		if g.stars && s == string(anyRun)+string(anyRun) {
			segments[i] = string(anyDepth)
		}
		if g.dots || ignore {
			segments[i] = strings.ReplaceAll(segments[i], string(anyRun), string(anyName))
		}
	}
	return strings.Join(segments, "/")
}

// shopt reads the options that the shell sets for patterns.
func shopt(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	on := slices.Contains(argv, "-s")
	if !on && !slices.Contains(argv, "-u") {
		return []*state{st}
	}
	return []*state{st.with(func(c *state) {
		for _, name := range argv[1:] {
			switch name {
			case "dotglob":
				c.globs.dots = on
			case "globstar":
				c.globs.stars = on
			case "nocaseglob":
				c.globs.fold = on
			}
		}
	})}
}
