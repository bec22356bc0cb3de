package gitfile

import "strings"

// class matches one byte with the bracket expression that starts at a position; end is the
// position of its end. ok is false if it does not end or names an unknown class.
func class(pattern string, at int, c byte) (end int, in, ok bool) {
	at++
	negated := byteAt(pattern, at) == '!' || byteAt(pattern, at) == '^'
	if negated {
		at++
	}
	before := byte(0) // the lower end if a range follows
	for first := true; first || byteAt(pattern, at) != ']'; first = false {
		p := byteAt(pattern, at)
		switch {
		case p == 0:
			return 0, false, false
		case p == '\\':
			at++
			if p = byteAt(pattern, at); p == 0 {
				return 0, false, false
			}
			in = in || c == p
			before = p
		case p == '-' && before != 0 && byteAt(pattern, at+1) != 0 && byteAt(pattern, at+1) != ']':
			at++
			if p = pattern[at]; p == '\\' {
				at++
				if p = byteAt(pattern, at); p == 0 {
					return 0, false, false
				}
			}
			in = in || before <= c && c <= p
			before = 0
		case p == '[' && byteAt(pattern, at+1) == ':':
			length := strings.IndexByte(pattern[at+2:], ']')
			if length < 0 {
				return 0, false, false
			}
			name, named := strings.CutSuffix(pattern[at+2:at+2+length], ":")
			if !named { // not a class, but the characters themselves
				in = in || c == '['
				before = '['
				break
			}
			test, known := classes[name]
			if !known {
				return 0, false, false
			}
			in = in || test(c)
			at += 2 + length
			before = 0
		default:
			in = in || c == p
			before = p
		}
		at++
	}
	return at, in != negated, true
}

func between(low, high byte) func(byte) bool {
	return func(c byte) bool { return low <= c && c <= high }
}

// classes are the POSIX classes in the C locale.
var classes = map[string]func(byte) bool{
	"alnum":  isAlnum,
	"alpha":  func(c byte) bool { return isAlnum(c) && c > '9' },
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  between('0', '9'),
	"graph":  between('!', '~'),
	"lower":  between('a', 'z'),
	"print":  between(' ', '~'),
	"punct":  func(c byte) bool { return '!' <= c && c <= '~' && !isAlnum(c) },
	"space":  func(c byte) bool { return strings.IndexByte(" \t\n\r", c) >= 0 },
	"upper":  between('A', 'Z'),
	"xdigit": func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' },
}
