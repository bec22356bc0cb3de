package plain

import "bytes"

// write writes JSON without white space.
func (d *document) write(text []byte, depth int) {
	if d.indent == "" {
		_, _ = d.w.Write(text)
		return
	}
	for len(text) > 0 {
		n := bytes.IndexAny(text, `"{}[],:`)
		if n < 0 {
			n = len(text)
		}
		_, _ = d.w.Write(text[:n])
		if text = text[n:]; len(text) == 0 {
			return
		}
		n = 1
		switch c := text[0]; c {
		case '"':
			n = stringLength(text)
			_, _ = d.w.Write(text[:n])
		case '{', '[':
			if text[1] == c+2 { // it is empty
				_, _ = d.w.Write(text[:2])
				n = 2
				break
			}
			depth++
			_ = d.w.WriteByte(c)
			d.line(depth)
		case '}', ']':
			depth--
			d.line(depth)
			_ = d.w.WriteByte(c)
		case ',':
			_ = d.w.WriteByte(c)
			d.line(depth)
		case ':':
			_, _ = d.w.WriteString(": ")
		}
		text = text[n:]
	}
}

// stringLength returns the length of the string that a text begins with.
func stringLength(text []byte) int {
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}
