package mentions

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// inWord has the characters of plain words.
var inWord = func() (in [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@+~%$*{}\\-") {
		in[c] = true
	}
	return in
}()

// urlEnd has the characters that end a URL.
const urlEnd = " \t\r\"'`<>)]}|"

// plainWords finds the words of a line that have a slash: the longest runs of characters of
// paths. A word that goes on with a letter of another script is not whole, and words in URLs or
// with wildcards or variables name nothing, nor do those after a command that moves to another
// directory and the name of that.
func plainWords(line []byte, found func(word)) {
	if bytes.Contains(line, []byte("git mv ")) || bytes.Contains(line, []byte("git rm ")) {
		return // the script that made the change
	}
	moves, moved := false, false // to another directory
	for at := 0; at < len(line) && !moved; {
		if !inWord[line[at]] {
			at++
			continue
		}
		end, slash := at, false
		for end < len(line) && inWord[line[end]] {
			slash = slash || line[end] == '/'
			end++
		}
		text := line[at:end]
		moves, moved = slices.Contains(movers, string(text)) && bytes.HasPrefix(line[end:], []byte(" ")), moves
		if bytes.IndexByte(text, '{') < 0 {
			text = bytes.TrimRight(text, "}") // of a mapping in YAML
		}
		switch {
		case !slash:
		case bytes.HasPrefix(text, []byte("//")):
			if at > 0 && line[at-1] == ':' {
				if n := bytes.IndexAny(line[end:], urlEnd); n >= 0 {
					end += n
				} else {
					end = len(line)
				}
			}
		case bytes.HasSuffix(line[:at], []byte("[")) && lineLinked(line[end:]):
		case !bytes.ContainsAny(text, `*{}$\`) && !elsewhere(line[:at]) && !letterBefore(line[:at]) && !letterAfter(line[end:]):
			found(word{trimmed(text), plain})
		}
		at = end
	}
}

// movers are words of commands before the directory in which the rest of a line runs.
var movers = []string{"cd", "@cd", "pushd", "-C"}

// hereSchemes may precede a path of the repository, with a colon.
var hereSchemes = []string{"file", "link", "path", "portal"}

// elsewhere reports whether a text ends with a name and a colon: the path after it is of another
// revision, machine or program.
func elsewhere(text []byte) bool {
	before, ok := bytes.CutSuffix(text, []byte(":"))
	begin := len(before)
	for begin > 0 && inWord[before[begin-1]] {
		begin--
	}
	return ok && begin < len(before) && !slices.Contains(hereSchemes, string(before[begin:]))
}

// lineLinked reports whether the text of a link in markdown goes on with the number of a line and
// ends. Programs that write pages about code make such links, and make them again.
func lineLinked(text []byte) bool {
	number, ok := bytes.CutPrefix(text, []byte(":"))
	rest := bytes.TrimLeft(number, "0123456789")
	return ok && len(rest) < len(number) && bytes.HasPrefix(rest, []byte("]("))
}

// trimmed returns a word without the marks of a sentence and the slash of a directory.
func trimmed(text []byte) []byte {
	return bytes.TrimRight(text, "./")
}

// letterBefore reports whether a text ends with a letter of a script that has spaces.
func letterBefore(text []byte) bool {
	r, size := utf8.DecodeLastRune(text)
	return size > 0 && r >= utf8.RuneSelf && spaced(r)
}

func letterAfter(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return size > 0 && r >= utf8.RuneSelf && spaced(r)
}

func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == utf8.RuneError) && // an invalid byte may be a letter

		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// ownerWords finds the pattern of a line of CODEOWNERS.
func ownerWords(line []byte, found func(word)) {
	fields := bytes.Fields(line)
	if len(fields) == 0 || bytes.ContainsAny(fields[0], `#*?[]!\`) {
		return
	}
	found(word{fields[0], owner})
}
