package bash

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
)

// prints reproduces what a program prints, where that follows from the line alone.
func (r *reader) prints(st *state, name string, words []string) {
	if st.out == nil {
		return
	}
	if name == "ls" {
		st.out.print(listed(words))
		return
	}
	text, known := r.printed(st, name, words)
	if known {
		st.emit(text)
	} else {
		st.murmur()
	}
}

func (r *reader) printed(st *state, name string, words []string) (text string, known bool) {
	if slices.ContainsFunc(words, isUnknown) && name != "echo" && name != "printf" {
		return "", false
	}
	switch name {
	case "true", ":", "mkdir", "cp", "mv", "rm", "touch", "chmod", "sleep", "test", "[", "sed_i", "cd", "ln", "false":
		return "", true
	case "echo":
		return echo(words)
	case "printf":
		if len(words) == 0 {
			return "", false
		}
		if words[0] == "--" && len(words) > 1 {
			words = words[1:]
		}
		return format(words[0], words[1:])
	case "pwd":
		return st.dir + "\n", true
	case "cat":
		return r.concatenated(st, words)
	case "tee":
		in := cmpInput(st.in)
		return in.text, in.known
	case "basename":
		if len(words) == 1 {
			return path.Base(words[0]) + "\n", true
		}
		if len(words) == 2 && words[0] != "-s" {
			return strings.TrimSuffix(path.Base(words[0]), words[1]) + "\n", true
		}
	case "dirname":
		if len(words) == 1 {
			return path.Dir(words[0]) + "\n", true
		}
	case "realpath", "readlink":
		if n := len(words); n > 0 && !strings.HasPrefix(words[n-1], "-") && (name == "realpath" || n > 1) {
			return r.abs(st, words[n-1]) + "\n", true
		}
	case "mktemp":
		return "/tmp/" + string(plainText) + "\n", true
	case "date", "nproc", "whoami", "hostname", "id", "uname", "uuidgen", "arch", "tty", "getconf":
		return string(plainText) + "\n", true
	case "which":
		if len(words) == 1 {
			return "/usr/bin/" + words[0] + "\n", true
		}
	}
	return "", false
}

// listed returns what ls prints: its operands, or the names in them.
func listed(words []string) []string {
	var found []string
	itself := false
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			itself = itself || strings.Contains(w, "d")
			if strings.Contains(w, "l") {
				return nil
			}
			continue
		}
		if itself || isGlob(w) || isOpen(w) {
			found = append(found, w)
		} else {
			return nil // names without their directory
		}
	}
	return found
}

func echo(words []string) (string, bool) {
	newline, escapes := "\n", false
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' && strings.Trim(words[0][1:], "neE") == "" {
		if strings.Contains(words[0], "n") {
			newline = ""
		}
		escapes = strings.Contains(words[0], "e")
		words = words[1:]
	}
	text := strings.Join(words, " ")
	if escapes && strings.Contains(text, `\`) {
		out, _, err := expand.Format(&expand.Config{}, strings.ReplaceAll(text, "%", "%%"), nil)
		if err != nil {
			return "", false
		}
		text = out
	}
	return text + newline, true
}

// format is printf. The format is used again for further arguments.
func format(layout string, args []string) (string, bool) {
	if len(args) > maxTurns*8 || strings.Contains(layout, "%b") || strings.Contains(layout, "*") || wide(layout) {
		return "", false
	}
	var b strings.Builder
	for {
		out, used, err := expand.Format(&expand.Config{}, layout, args)
		if err != nil {
			return "", false
		}
		b.WriteString(out)
		args = args[min(used, len(args)):]
		if used == 0 || len(args) == 0 || b.Len() > maxValue {
			return b.String(), b.Len() <= maxValue
		}
	}
}

// wide reports whether a format asks for padding of many digits.
func wide(layout string) bool {
	digits := 0
	for _, c := range layout {
		if c >= '0' && c <= '9' {
			if digits++; digits > 4 {
				return true
			}
		} else {
			digits = 0
		}
	}
	return false
}

// concatenated returns what cat prints.
func (r *reader) concatenated(st *state, words []string) (string, bool) {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "--" || w == "-u" })
	if len(words) == 0 {
		return cmpInput(st.in).text, st.in != nil && st.in.known
	}
	var b strings.Builder
	for _, w := range words {
		in := r.content(st, w)
		if !in.known || b.Len() > maxLine {
			return "", false
		}
		b.WriteString(in.text)
	}
	return b.String(), true
}
