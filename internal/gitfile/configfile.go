package gitfile

import (
	"errors"
	"fmt"
	"strings"
)

// parseConfig parses a configuration file in the syntax of git-config(1).
func parseConfig(text string) (Config, error) {
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var c Config
	section := ""
	for p := (configText{text}); ; {
		p.skip()
		switch {
		case p.rest == "":
			return c, nil
		case p.rest[0] == '[':
			var err error
			if section, err = p.section(); err != nil {
				return nil, err
			}
		default:
			v, err := p.assignment()
			if err != nil {
				return nil, err
			}
			if section == "" {
				return nil, fmt.Errorf("%q is before the first section", v.Key)
			}
			v.Key = section + "." + v.Key
			c = append(c, v)
		}
	}
}

// configText is the rest of a configuration file.
type configText struct{ rest string }

// skip skips white space and comments.
func (p *configText) skip() {
	for p.rest != "" {
		switch c := p.rest[0]; {
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			p.rest = p.rest[1:]
		case c == '#' || c == ';':
			_, p.rest, _ = strings.Cut(p.rest, "\n")
		default:
			return
		}
	}
}

// section parses [name], [name.sub] or [name "sub"].
func (p *configText) section() (string, error) {
	end := strings.IndexAny(p.rest, "]\"\n")
	if end < 0 || p.rest[end] == '\n' {
		return "", errors.New("a section is not closed")
	}
	name := strings.ToLower(p.rest[1:end])
	if p.rest[end] == ']' {
		p.rest = p.rest[end+1:]
		return name, nil
	}
	name = strings.TrimRight(name, " \t")
	var sub strings.Builder
	for i := end + 1; i < len(p.rest) && p.rest[i] != '\n'; i++ {
		switch c := p.rest[i]; c {
		case '"':
			if !strings.HasPrefix(p.rest[i:], `"]`) {
				return "", errors.New("a section is not closed")
			}
			p.rest = p.rest[i+2:]
			return name + "." + sub.String(), nil
		case '\\':
			if i++; i == len(p.rest) || p.rest[i] == '\n' {
				return "", errors.New("a section is not closed")
			}
			sub.WriteByte(p.rest[i])
		default:
			sub.WriteByte(c)
		}
	}
	return "", errors.New("a section is not closed")
}

// assignment parses name, or name = value.
func (p *configText) assignment() (Variable, error) {
	end := 0
	for end < len(p.rest) && (isAlnum(p.rest[end]) || p.rest[end] == '-') {
		end++
	}
	v := Variable{Key: strings.ToLower(p.rest[:end])}
	p.rest = strings.TrimLeft(p.rest[end:], " \t")
	switch {
	case end == 0:
		line, _, _ := strings.Cut(p.rest, "\n")
		return v, fmt.Errorf("%q is not an assignment", line)
	case p.rest == "" || p.rest[0] == '\n':
		return v, nil
	case p.rest[0] != '=':
		return v, fmt.Errorf("no = after %q", v.Key)
	}
	p.rest = p.rest[1:]
	var err error
	v.Valued = true
	v.Value, err = p.value()
	return v, err
}

// value parses to the end of the line: quotes, escapes, lines continued by a backslash. It
// drops unquoted white space at both ends.
func (p *configText) value() (string, error) {
	p.rest = strings.TrimLeft(p.rest, " \t")
	var b strings.Builder
	quoted, keep := false, 0 // the length of b that trimming must keep
	for i := 0; i < len(p.rest); i++ {
		c := p.rest[i]
		switch {
		case c == '\n' && quoted:
			return "", errors.New("a quote is not closed")
		case c == '\n', !quoted && (c == '#' || c == ';'):
			_, p.rest, _ = strings.Cut(p.rest[i:], "\n")
			return b.String()[:keep], nil
		case c == '"':
			quoted = !quoted
			keep = b.Len()
			continue
		case c == '\\':
			if i++; i == len(p.rest) {
				return "", errors.New("a backslash ends the file")
			}
			if p.rest[i] == '\n' {
				continue
			}
			letter := strings.IndexByte(`ntb"\`, p.rest[i])
			if letter < 0 {
				return "", fmt.Errorf("\\%c is not an escape", p.rest[i])
			}
			b.WriteByte("\n\t\b\"\\"[letter])
			keep = b.Len()
			continue
		}
		b.WriteByte(c)
		if quoted || c != ' ' && c != '\t' {
			keep = b.Len()
		}
	}
	p.rest = ""
	if quoted {
		return "", errors.New("a quote is not closed")
	}
	return b.String()[:keep], nil
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
