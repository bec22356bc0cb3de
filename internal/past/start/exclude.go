package start

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// mostExcluded bounds the patterns that are written: people review them.
const mostExcluded = 20

// vendoredName matches the directories that copies of other projects are usually in.
// "external" is one only if it has a licence: it is an ordinary word too.
var vendoredName = lazyregexp.New(`^(vendor|_vendor|vendored|third[_-]?party|3rdparty|node_modules|bower_components)$`)

// excluded returns patterns of the files that no rule should look at: copies of other projects
// under their usual names, and what .gitattributes marks as generated or vendored, or stores in Git
// LFS: the contents of such files are elsewhere, so that rules about lines could not be checked.
func excluded(root fs.FS, files []string) []string {
	var patterns []string
	add := func(p string) {
		if !slices.Contains(patterns, p) && len(patterns) < mostExcluded && matchesSome(p, files) {
			patterns = append(patterns, p)
		}
	}
	for _, file := range files {
		dirs := strings.Split(path.Dir(file), "/")
		for i, name := range dirs {
			dir := strings.Join(dirs[:i+1], "/")
			if vendoredName().MatchString(name) || name == "external" && hasLicence(dir, files) {
				add(literal(dir) + "/**")
				break
			}
		}
	}
	for _, p := range attributed(root) {
		add(p)
	}
	return patterns
}

func hasLicence(dir string, files []string) bool {
	at, _ := slices.BinarySearch(files, dir+"/")
	for _, file := range files[at:] {
		below, ok := strings.CutPrefix(file, dir+"/")
		if !ok {
			return false
		}
		if name := strings.ToUpper(path.Base(below)); strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING") {
			return true
		}
	}
	return false
}

// literal escapes the characters of a path that patterns treat specially.
func literal(file string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`).Replace(file)
}

// attributed returns the patterns that .gitattributes at the root marks as generated or
// vendored for GitHub's linguist, or stores in Git LFS. Lines that a pattern of rules cannot express
// are left out.
func attributed(root fs.FS) []string {
	text, err := regular.ReadFS(root, ".gitattributes", regular.Text)
	if err != nil {
		return nil // absent, or nothing that patterns could be read from
	}
	var patterns []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.ContainsAny(fields[0][:1], `#"[!`) {
			continue
		}
		if slices.ContainsFunc(fields[1:], func(attribute string) bool {
			name, value, given := strings.Cut(attribute, "=")
			marked := (name == "linguist-generated" || name == "linguist-vendored") && (!given || value == "true" || value == "set")
			return marked || name == "filter" && value == "lfs"
		}) {
			patterns = append(patterns, anchored(fields[0]))
		}
	}
	return patterns
}

// anchored writes a pattern of git as one of rules, which begin at the root.
func anchored(p string) string {
	p = strings.ReplaceAll(strings.ReplaceAll(p, "{", `\{`), "}", `\}`)
	if !strings.Contains(strings.TrimSuffix(p, "/"), "/") {
		p = "**/" + p
	}
	return strings.TrimSuffix(strings.TrimPrefix(p, "/"), "/")
}

// matchesSome reports whether a pattern can be compiled and matches one of the files.
func matchesSome(source string, files []string) bool {
	p, err := pattern.Compile(source)
	return err == nil && slices.ContainsFunc(files, func(file string) bool {
		_, ok := p.Match(file)
		return ok
	})
}
