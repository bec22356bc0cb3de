package gitfile

import "strings"

// outcome is the result of an attempt to match. The last two stop an asterisk to the left
// from trying further; git's matcher depends on them, so this one has them too.
type outcome int

const (
	matches outcome = iota
	differs
	hopeless     // the text is too short, whatever asterisks take
	onlyStarStar // only ** could go on
)

// wildmatch matches text as git matches a pattern of .gitignore, see
// https://git-scm.com/docs/gitignore and wildmatch.c of git. With pathname
// *, ? and [ ] do not match a slash, and ** does if it is a whole element.
func wildmatch(pattern, text string, pathname bool) bool {
	return wild(pattern, 0, text, pathname) == matches
}

// byteAt is a byte of s; 0, which no pattern and no path has, at its end.
func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func wild(pattern string, at int, text string, pathname bool) outcome {
	for ; at < len(pattern); at++ {
		c := pattern[at]
		if text == "" && c != '*' {
			return hopeless
		}
		switch c {
		case '?':
			if pathname && text[0] == '/' {
				return differs
			}
		case '*':
			rest, result, done := asterisk(pattern, at, text, pathname)
			if done {
				return result
			}
			// One asterisk took an element; the slash after it is next.
			text = rest
			at++
		case '[':
			end, in, ok := class(pattern, at, text[0])
			if !ok {
				return hopeless
			}
			if !in || pathname && text[0] == '/' {
				return differs
			}
			at = end
		default:
			if c == '\\' {
				at++
				c = byteAt(pattern, at)
			}
			if text[0] != c {
				return differs
			}
		}
		text = text[1:]
	}
	if text != "" {
		return differs
	}
	return matches
}

// asterisk matches from an asterisk on. It is not done after an asterisk that is a whole
// element: rest then starts with the slash after it.
func asterisk(pattern string, at int, text string, pathname bool) (rest string, result outcome, done bool) {
	next := at
	for byteAt(pattern, next) == '*' {
		next++
	}
	slashes := !pathname
	if after := byteAt(pattern, next); pathname && next-at > 1 && (at == 0 || pattern[at-1] == '/') &&
		(after == 0 || after == '/' || after == '\\' && byteAt(pattern, next+1) == '/') {
		if after == '/' && wild(pattern, next+1, text, pathname) == matches {
			return "", matches, true
		}
		slashes = true
	}
	switch {
	case next == len(pattern):
		if !slashes && strings.Contains(text, "/") {
			return "", differs, true
		}
		return "", matches, true
	case !slashes && pattern[next] == '/':
		slash := strings.IndexByte(text, '/')
		if slash < 0 {
			return "", differs, true
		}
		if next != at+1 { // several asterisks within an element are as one
			return "", wild(pattern, next, text[slash:], pathname), true
		}
		return text[slash:], 0, false
	}
	return "", stretch(pattern, next, text, pathname, slashes), true
}

// stretch lets an asterisk take more and more, until the pattern after it matches.
func stretch(pattern string, next int, text string, pathname, slashes bool) outcome {
	literal := strings.IndexByte(`*?[\`, pattern[next]) < 0
	for text != "" {
		if literal {
			for text != "" && (slashes || text[0] != '/') && text[0] != pattern[next] {
				text = text[1:]
			}
			if byteAt(text, 0) != pattern[next] {
				return differs
			}
		}
		switch result := wild(pattern, next, text, pathname); {
		case result != differs:
			if !slashes || result != onlyStarStar {
				return result
			}
		case !slashes && text[0] == '/':
			return onlyStarStar
		}
		text = text[1:]
	}
	return hopeless
}
