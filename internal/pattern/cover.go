package pattern

import "strings"

// Covers reports whether p certainly matches every path that other matches. It knows what
// people write: the same pattern, one path, all of a directory, and all files of a kind.
func (p *Pattern) Covers(other *Pattern) bool {
	if p.path() == other.path() {
		return true
	}
	if path, ok := other.FilePath(); ok {
		_, matches := p.Match(path)
		return matches
	}
	dir, end, ok := p.openEnds()
	if !ok || !strings.HasPrefix(other.Prefix(), dir) {
		return false
	}
	for _, suffix := range other.Suffixes() {
		if !strings.HasSuffix(suffix, end) {
			return false
		}
	}
	return true
}

// path returns the pattern as written, without a key.
func (p *Pattern) path() string {
	if at := PartAt(p.source); at >= 0 {
		return p.source[:at]
	}
	return p.source
}

// openEnds returns the two texts between which the pattern matches everything: the directory
// with its "/", and the end of a name. It is not ok for any other pattern.
func (p *Pattern) openEnds() (dir, end string, ok bool) {
	before, after, ok := strings.Cut(p.path(), "**")
	if !ok || after != "" && !strings.HasPrefix(after, "/*") || before != "" && !strings.HasSuffix(before, "/") {
		return "", "", false
	}
	dir, ok = text(strings.TrimSuffix(before, "/"))
	if end = strings.TrimPrefix(after, "/*"); !ok || end == "" {
		return dir + before[max(len(before)-1, 0):], "", ok
	}
	end, ok = text(end)
	return dir + before[max(len(before)-1, 0):], end, ok && !strings.Contains(end, "/")
}

// text returns what a pattern without wildcards and captures matches.
func text(source string) (string, bool) {
	if source == "" {
		return "", true
	}
	p, err := Compile(source)
	if err != nil {
		return "", false
	}
	return p.FilePath()
}
