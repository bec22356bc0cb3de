// Command new writes the files and the table rows that a new mode, format, command or other
// part needs, and prints what is left to fill in.
//
//	go run ./scripts/new KIND NAME
//
// Each kind is a file in templates. It begins with what is left to do; each section after
// it is a new file, "-- path --", or a row, "-- path: text --", which is inserted at the end
// of the list that begins in the line with this text. NAME is replaced by the name, __Name__
// and __name__ by the name as part of a Go name.
package main

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed templates/*.txt
var templates embed.FS

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: make new KIND=kind NAME=name")
	}
	todo, err := create(".", os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal("make new: ", err)
	}
	log.Print(todo)
}

// create writes what a new part needs in the module at root, and returns what is left to do.
// It writes nothing if one of the files exists or a list is not found.
func create(root, kind, name string) (string, error) {
	template, err := templates.ReadFile("templates/" + kind + ".txt")
	if err != nil {
		return "", fmt.Errorf("unknown kind %q; want one of %s", kind, strings.Join(kinds(), ", "))
	}
	if !nameForm.MatchString(name) {
		return "", fmt.Errorf("bad name %q; want lower-case words with _ between them", name)
	}
	text := strings.NewReplacer("NAME", name, "__Name__", camel(name), "__name__", strings.ToLower(name[:1])+camel(name)[1:]).Replace(string(template))
	sections := strings.Split("\n"+text, "\n-- ")
	written := map[string]string{}
	var places []string
	for _, section := range sections[1:] {
		head, content, _ := strings.Cut(section, " --\n")
		file, list, row := strings.Cut(head, ": ")
		if row {
			content, err = insert(root, written, file, list, content)
		} else if _, found := os.Lstat(filepath.Join(root, file)); !errors.Is(found, fs.ErrNotExist) {
			err = fmt.Errorf("%s exists; want another name than %q", file, name)
		}
		if err == nil && strings.HasSuffix(file, ".go") {
			content, err = formatted(content)
		}
		if err != nil {
			return "", err
		}
		written[file] = strings.TrimSuffix(content, "\n") + "\n"
		if !slices.Contains(places, "  "+file) {
			places = append(places, "  "+file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(written)) {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(written[file]), 0o644); err != nil {
			return "", err
		}
	}
	return strings.Join(places, "\n") + "\n" + strings.TrimSpace(sections[0]), nil
}

// insert returns the content of a file with a row at the end of the list that begins in the
// line with this text, which the next line that is indented no deeper ends.
// An earlier row of the same file is in written.
func insert(root string, written map[string]string, file, list, row string) (string, error) {
	source := written[file]
	if source == "" {
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		source = string(content)
	}
	if strings.Contains(words(source), words(row)) {
		return "", fmt.Errorf("a row of this name in %s exists; want another name", file)
	}
	before, rest, found := strings.Cut(source, list)
	indentation := strings.Count(before[strings.LastIndexByte(before, '\n')+1:], "\t")
	end := regexp.MustCompile(fmt.Sprintf(`\n\t{0,%d}\S`, indentation)).FindStringIndex(rest)
	if !found || end == nil {
		return "", fmt.Errorf("%s has no list that begins with %q; want the template as this file is", file, list)
	}
	return before + list + rest[:end[0]+1] + strings.TrimSuffix(row, "\n") + "\n" + rest[end[0]+1:], nil
}

func formatted(source string) (string, error) {
	text, err := format.Source([]byte(source))
	return string(text), err
}

func kinds() []string {
	var names []string
	files, _ := templates.ReadDir("templates") // embedded, so it is there
	for _, file := range files {
		names = append(names, `"`+strings.TrimSuffix(file.Name(), ".txt")+`"`)
	}
	return names
}

// words returns a text with one blank between its words: gofmt aligns rows.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// camel joins the words of a name, as Go does.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
