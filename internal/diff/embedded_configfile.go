package diff

import (
	"errors"
	"fmt"
	"strings"
)

// parseConfig reads a configuration file: the syntax of git-config(1).
func parseConfig(text string) (config, error) {
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var c config
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
				return nil, fmt.Errorf("%q stands before the first section", v.key)
			}
			v.key = section + "." + v.key
			c = append(c, v)
		}
	}
}

// configText is what remains to be read.
type configText struct{ rest string }

// skip passes over white space and comments.
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

// section reads [name], [name.sub] or [name "sub"].
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

// assignment reads name, or name = value.
func (p *configText) assignment() (variable, error) {
	end := 0
	for end < len(p.rest) && (isAlnum(p.rest[end]) || p.rest[end] == '-') {
		end++
	}
	v := variable{key: strings.ToLower(p.rest[:end])}
	p.rest = strings.TrimLeft(p.rest[end:], " \t")
	switch {
	case end == 0:
		line, _, _ := strings.Cut(p.rest, "\n")
		return v, fmt.Errorf("%q is no assignment", line)
	case p.rest == "" || p.rest[0] == '\n':
		return v, nil
	case p.rest[0] != '=':
		return v, fmt.Errorf("no = after %q", v.key)
	}
	p.rest = p.rest[1:]
	var err error
	v.valued = true
	v.value, err = p.value()
	return v, err
}

// value reads to the end of the line: quotes, escapes, lines continued by a
// backslash; white space at both ends is dropped unless quoted.
func (p *configText) value() (string, error) {
	p.rest = strings.TrimLeft(p.rest, " \t")
	var b strings.Builder
	quoted, keep := false, 0 // of b, what trimming must leave
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
				return "", fmt.Errorf("\\%c is no escape", p.rest[i])
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
