package plain

import "bytes"

// appendIndented appends JSON without white space, in lines that are indented by depth levels.
func appendIndented(to, text []byte, indent string, depth int) []byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			n := stringLength(text[i:])
			to = append(to, text[i:i+n]...)
			i += n - 1
		case '{', '[':
			to = append(to, c)
			if text[i+1] == c+2 { // it is empty
				i++
				to = append(to, c+2)
				break
			}
			depth++
			to = appendLine(to, indent, depth)
		case '}', ']':
			depth--
			to = append(appendLine(to, indent, depth), c)
		case ',':
			to = appendLine(append(to, c), indent, depth)
		case ':':
			to = append(to, ": "...)
		default:
			to = append(to, c)
		}
	}
	return to
}

func appendLine(to []byte, indent string, depth int) []byte {
	to = append(to, '\n')
	for range depth {
		to = append(to, indent...)
	}
	return to
}

// stringLength returns the length of the string that a text begins with.
func stringLength(text []byte) int {
	for i := 1; ; i++ {
		i += bytes.IndexByte(text[i:], '"')
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}
