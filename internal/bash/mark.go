package bash

import (
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
