package charset

import (
	"bytes"
	"path"
	"strings"
	"sync"
)

// probe is the number of bytes that are searched for a NUL, as git does to call a file binary.
const probe = 8000

// signature is how files of a format begin, or have a text at an offset.
type signature struct {
	at   int
	text string
}

// formats lists, by the ends of names, the signatures of formats without lines. All those that
// have the same end are in one row.
var formats = []struct {
	ends       string // separated by spaces
	signatures []signature
}{
	{"png apng", []signature{{0, "\x89PNG\r\n\x1a\n"}}},
	{"jpg jpeg jpe", []signature{{0, "\xff\xd8\xff"}}},
	{"gif", []signature{{0, "GIF87a"}, {0, "GIF89a"}}},
	{"webp", []signature{{8, "WEBP"}}},
	{"wav", []signature{{8, "WAVE"}}},
	{"avi", []signature{{8, "AVI "}}},
	{"avif heic heif mp4 m4a m4v mov", []signature{{4, "ftyp"}}},
	{"bmp", []signature{{0, "BM"}}},
	{"ico", []signature{{0, "\x00\x00\x01\x00"}}},
	{"cur", []signature{{0, "\x00\x00\x02\x00"}}},
	{"icns", []signature{{0, "icns"}}},
	{"tif tiff", []signature{{0, "II*\x00"}, {0, "MM\x00*"}}},
	{"psd", []signature{{0, "8BPS"}}},
	{"pdf ai", []signature{{0, "%PDF-"}}},
	{"woff", []signature{{0, "wOFF"}}},
	{"woff2", []signature{{0, "wOF2"}}},
	{"ttf otf ttc", []signature{{0, "\x00\x01\x00\x00"}, {0, "OTTO"}, {0, "true"}, {0, "ttcf"}}},
	{"eot", []signature{{34, "LP"}}},
	{"mp3", []signature{{0, "ID3"}, {0, "\xff\xfb"}, {0, "\xff\xf3"}, {0, "\xff\xf2"}}},
	{"ogg oga ogv opus", []signature{{0, "OggS"}}},
	{"flac", []signature{{0, "fLaC"}}},
	{"webm mkv", []signature{{0, "\x1a\x45\xdf\xa3"}}},
	{"zip jar war ear aar apk nupkg vsix whl egg docx docm xlsx xlsm pptx odt ods odp epub", []signature{{0, "PK\x03\x04"}, {0, "PK\x05\x06"}}},
	{"gz tgz", []signature{{0, "\x1f\x8b"}}},
	{"bz2 tbz2", []signature{{0, "BZh"}}},
	{"xz txz", []signature{{0, "\xfd7zXZ\x00"}}},
	{"zst", []signature{{0, "\x28\xb5\x2f\xfd"}}},
	{"7z", []signature{{0, "7z\xbc\xaf\x27\x1c"}}},
	{"rar", []signature{{0, "Rar!\x1a\x07"}}},
	{"tar", []signature{{257, "ustar"}}},
	{"sqlite sqlite3 db", []signature{{0, "SQLite format 3\x00"}}},
	{"wasm", []signature{{0, "\x00asm"}}},
	{"class", []signature{{0, "\xca\xfe\xba\xbe"}}},
	{"exe dll", []signature{{0, "MZ"}}},
	{"so o ko", []signature{{0, "\x7fELF"}}},
	{"a lib", []signature{{0, "!<arch>\n"}}},
	{"dylib", []signature{{0, "\xcf\xfa\xed\xfe"}, {0, "\xca\xfe\xba\xbe"}}},
}

var signaturesOf = sync.OnceValue(func() map[string][]signature {
	byEnd := map[string][]signature{}
	for _, f := range formats {
		for end := range strings.FieldsSeq(f.ends) {
			byEnd[end] = f.signatures
		}
	}
	return byEnd
})

// Named reports whether a name has the end of a format without lines.
func Named(name string) bool { return len(signaturesOf()[endOf(name)]) > 0 }

// IsFormat reports whether a file is in a format without lines: its name ends as that of one, it
// begins as one, and it has a NUL near its beginning. Any other file has lines, whatever its
// bytes are.
func IsFormat(name string, content []byte) bool {
	if bytes.IndexByte(content[:min(len(content), probe)], 0) < 0 {
		return false
	}
	for _, s := range signaturesOf()[endOf(name)] {
		if len(content) >= s.at && bytes.HasPrefix(content[s.at:], []byte(s.text)) {
			return true
		}
	}
	return false
}

func endOf(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }
