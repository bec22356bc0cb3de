// Package charset reads the bytes of files as text: it decodes UTF-16, and recognises files in
// formats that have no lines.
package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Mark is the byte order mark in UTF-8, which some editors put before the first line of a file.
// It is not part of the line.
const Mark = "\uFEFF"

// Text returns the text of a file: UTF-16, with or without a byte order mark, as UTF-8 without
// the mark. If only a part of it is UTF-16 or UTF-32, as where a program appended a line in
// another encoding, it is the text without its NULs. Any other content is as it is. decoded
// reports whether it was no other content.
func Text(content []byte) (text []byte, decoded bool) {
	pairs, order := content, byMark(content)
	marked := order != nil
	if marked {
		pairs = content[2:]
	} else {
		order = byZeros(content)
	}
	if order != nil {
		if text, decoded = decode(pairs, order, marked); decoded {
			return text, true
		}
	}
	if hasWide(content) {
		return bytes.ReplaceAll(pairs, []byte{0}, nil), true
	}
	return content, false
}

// MayBeUTF16 reports whether content, which may be the beginning of a file, looks like UTF-16.
func MayBeUTF16(content []byte) bool {
	return byMark(content) != nil || byZeros(content) != nil || hasWide(content)
}

// hasWide reports whether three characters of ASCII follow each other in units of two or of four
// bytes.
func hasWide(content []byte) bool {
	last, gap, same := -1, 0, 0 // the last character, the NULs before it, and the characters with as many
	for at := bytes.IndexByte(content, 0); at >= 0 && at < len(content); at++ {
		if content[at] == 0 {
			continue
		}
		if last < 0 { // the character before the first NUL
			last = at - 1
			for last > 0 && content[last] == 0 {
				last--
			}
		}
		width := at - last
		switch {
		case !isPrintable(content[at]) || width != 2 && width != 4:
			same = 0
		case width == gap:
			same++
		default:
			same = 1
		}
		if last, gap = at, width; same >= 2 && isPrintable(content[max(0, at-2*width)]) {
			return true
		}
	}
	return false
}

// IsPlain reports whether bytes of a file, such as a line, have nothing that UTF-16 or a format
// without lines has: a NUL or bytes that are not UTF-8.
func IsPlain(part []byte) bool { return bytes.IndexByte(part, 0) < 0 && utf8.Valid(part) }

// byteOrder is the order of the two bytes of a unit.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// byMark returns the order that a byte order mark gives; nil without a mark.
func byMark(content []byte) byteOrder {
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		if bytes.HasPrefix(content, order.AppendUint16(nil, 0xfeff)) {
			return order
		}
	}
	return nil
}

// byZeros returns the order by the half of its pairs in which content has all its NULs; nil if
// it has none, or has them in both.
func byZeros(content []byte) byteOrder {
	var zeros [2]int
	for i, c := range content {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case zeros[0] == 0 && zeros[1] > 0:
		return binary.LittleEndian
	case zeros[1] == 0 && zeros[0] > 0:
		return binary.BigEndian
	}
	return nil
}

// decode decodes UTF-16. It refuses what is no such text, and bytes that are ASCII in pairs:
// a mark or a NUL in front of them would hide lines from a reader that other programs run.
func decode(content []byte, order byteOrder, marked bool) (text []byte, ok bool) {
	if len(content)%2 != 0 {
		return nil, false
	}
	total, latin, ascii := len(content)/2, 0, 0
	text = make([]byte, 0, total)
	for i := 0; i < len(content); i += 2 {
		r := rune(order.Uint16(content[i:]))
		switch {
		case r == 0, !marked && r < ' ' && !isPrintable(byte(r)):
			return nil, false
		case r <= 0xff:
			latin++
		case isPrintable(content[i]) && isPrintable(content[i+1]):
			ascii++
		case utf16.IsSurrogate(r):
			if i += 2; i == len(content) {
				return nil, false
			}
			if r = utf16.DecodeRune(r, rune(order.Uint16(content[i:]))); r == utf8.RuneError {
				return nil, false
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text, ascii*2 <= total && (marked || latin*2 >= total)
}

func isPrintable(c byte) bool { return c >= ' ' && c < 0x7f || c == '\t' || c == '\n' || c == '\r' }
