package diff

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
)

// ParseHunks parses a patch as git diff -U0 prints it with the prefixes a/ and b/, and
// returns for each file that exists at head the ranges of changed lines, in order. A hunk
// that only removes lines gives the line before them, or the first. Submodules and pure renames
// have no lines. encoded are the files whose text may have other lines than git lists.
func ParseHunks(patch []byte) (lines map[string][]Lines, encoded map[string]bool, err error) {
	lines, encoded = map[string][]Lines{}, map[string]bool{}
	err = walkPatch(patch, func(_, after string, h hunk, body []byte) error {
		name, err := headName(after)
		if name != "" {
			lines[name] = append(lines[name], h.lines())
			encoded[name] = encoded[name] || !charset.IsPlain(body)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(encoded, func(_ string, may bool) bool { return !may })
	return lines, encoded, nil
}

// PatchedFiles returns the names, at head or of a deleted file at base, of the files and
// submodules with hunks in a patch.
func PatchedFiles(patch []byte) (map[string]bool, error) {
	files := map[string]bool{}
	err := walkHunks(patch, func(before, after string, _ bool, _ hunk, _ []byte) error {
		name, err := patchedName(before, after)
		files[name] = true
		return err
	})
	return files, err
}

// patchedName returns the name after "+++ ", or that after "--- " of a deleted file.
func patchedName(before, after string) (string, error) {
	name, err := headName(after)
	if err == nil && name == "" {
		return sideName(before, "a/")
	}
	return name, err
}

// walkPatch calls visit for each hunk of a file, with the text after "--- " and "+++ " and
// with its lines.
func walkPatch(patch []byte, visit func(before, after string, h hunk, body []byte) error) error {
	return walkHunks(patch, func(before, after string, module bool, h hunk, body []byte) error {
		if module {
			return nil // "Subproject commit <id>" is a line of no file
		}
		return visit(before, after, h, body)
	})
}

// walkHunks also visits the hunks of submodules.
func walkHunks(patch []byte, visit func(before, after string, module bool, h hunk, body []byte) error) error {
	before, after, module := "", "", false
	for rest := patch; len(rest) > 0; {
		at := len(patch) - len(rest)
		line, next, _ := bytes.Cut(rest, []byte("\n"))
		rest = next
		text := string(line)
		switch {
		case strings.HasPrefix(text, "diff --git "):
			before, after, module = "", "", false
		case text == "new file mode "+submoduleMode, text == "deleted file mode "+submoduleMode,
			strings.HasPrefix(text, "index ") && strings.HasSuffix(text, " "+submoduleMode):
			module = true
		case strings.HasPrefix(text, "--- "):
			before = text[len("--- "):]
		case strings.HasPrefix(text, "+++ "):
			after = text[len("+++ "):]
			if _, err := headName(after); err != nil {
				return fmt.Errorf("patch: byte %d: %w", at, err)
			}
		case strings.HasPrefix(text, "@@ "):
			h, err := parseHunk(text)
			if err == nil {
				next, err = skipBody(rest, h)
			}
			if err == nil && after != "" {
				err = visit(before, after, module, h, rest[:len(rest)-len(next)])
			}
			if err != nil {
				return fmt.Errorf("patch: byte %d: %w", at, err)
			}
			rest = next
		}
	}
	return nil
}

// hunk is the header of one hunk: its first line at base and how many lines it removes,
// its first line at head and how many lines it adds.
type hunk struct{ oldStart, removed, start, added int }

func (h hunk) lines() Lines {
	return Lines{First: max(1, h.start), Last: max(1, h.start+max(h.added, 1)-1)}
}

// parseHunk reads "@@ -12,3 +12 @@ anything"; a count left out is 1.
func parseHunk(text string) (hunk, error) {
	field := strings.SplitN(text, " ", 5)
	if len(field) >= 4 && field[3] == "@@" {
		oldStart, removed, ok1 := span(field[1], "-")
		start, added, ok2 := span(field[2], "+")
		if ok1 && ok2 {
			return hunk{oldStart: oldStart, removed: removed, start: start, added: added}, nil
		}
	}
	return hunk{}, fmt.Errorf("%q is not a hunk; want \"@@ -<line>,<count> +<line>,<count> @@\"", text)
}

func span(text, sign string) (start, count int, ok bool) {
	text, signed := strings.CutPrefix(text, sign)
	first, rest, counted := strings.Cut(text, ",")
	n, err := strconv.ParseInt(first, 10, 32)
	m := int64(1)
	if err == nil && counted {
		m, err = strconv.ParseInt(rest, 10, 32)
	}
	return int(n), int(m), signed && err == nil && n >= 0 && m >= 0
}

// skipBody skips exactly the lines that the header announced, because a removed or added
// line may look like a header.
func skipBody(rest []byte, h hunk) ([]byte, error) {
	for h.removed > 0 || h.added > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		switch {
		case h.removed > 0 && bytes.HasPrefix(line, []byte("-")):
			h.removed--
		case h.added > 0 && bytes.HasPrefix(line, []byte("+")):
			h.added--
		case bytes.HasPrefix(line, []byte("\\")): // no line feed at the end of the file
		default:
			return nil, fmt.Errorf("hunk ends early at %q; %d removed and %d added lines are missing",
				line, h.removed, h.added)
		}
		rest = after
	}
	return rest, nil
}

// headName parses the name on a +++ line: in C quotes if it has special bytes, followed
// by a tab if it has spaces, /dev/null (returned as "") if there is no file.
func headName(text string) (string, error) { return sideName(text, "b/") }

// sideName parses the name on a line of the side with the given prefix.
func sideName(text, prefix string) (string, error) {
	name := strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(name, `"`) {
		unquoted, ok := unquote(name)
		if !ok {
			return "", fmt.Errorf("%s is not a quoted name", text)
		}
		name = unquoted
	}
	if name == "/dev/null" {
		return "", nil
	}
	name, ok := strings.CutPrefix(name, prefix)
	if !ok || name == "" {
		return "", fmt.Errorf("%q is not a name in a patch; want \"%s<name>\"", text, prefix)
	}
	return name, nil
}

// unquote undoes git's quoting of names: C escapes, with three octal digits for every
// byte without a letter.
func unquote(quoted string) (string, bool) {
	body, ok := strings.CutSuffix(strings.TrimPrefix(quoted, `"`), `"`)
	if !ok || len(quoted) < 2 {
		return "", false
	}
	var b strings.Builder
	for body != "" {
		if body[0] != '\\' {
			if body[0] == '"' {
				return "", false
			}
			b.WriteByte(body[0])
			body = body[1:]
			continue
		}
		value, letter, rest, err := strconv.UnquoteChar(body, '"')
		if err != nil || letter || value > 0xff { // \u and \U are Go's, not git's
			return "", false
		}
		b.WriteByte(byte(value)) //nolint:gosec // below 256: an unquoted byte
		body = rest
	}
	return b.String(), true
}
