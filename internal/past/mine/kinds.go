package mine

import "slices"

// shapes returns the shapes of a file's name: its extension, and the words that it begins or
// ends with.
func shapes(path string) []template {
	_, base := split(path)
	all := words(stem(base))
	ext := base[len(stem(base)):]
	if ext == "" {
		return nil
	}
	shapes := []template{{name: true, post: ext}}
	if len(all) > 2 {
		last := len(all) - 1
		if tail := all[last-1] + all[last]; letters(tail) > 1 {
			shapes = append(shapes, template{name: true, post: tail + ext})
		}
		if first := all[0] + all[1]; letters(first) > 1 && isDelimiter(rune(all[1][0])) {
			shapes = append(shapes, template{name: true, pre: first, post: ext})
		}
	}
	return slices.DeleteFunc(shapes, func(t template) bool { return len(base) <= len(t.pre)+len(t.post) })
}

// kinds returns the templates of the files that a file is one of: those in its directory and
// below each directory above, by shape and of the same name.
func kinds(path string, shapes []template) []template {
	dir, base := split(path)
	var kinds []template
	for _, shape := range shapes {
		in := shape
		in.mid = dir
		kinds = append(kinds, in)
	}
	for above, _ := split(dir); above != ""; above, _ = split(above) {
		for _, shape := range append(shapes, template{pre: base}) {
			shape.mid, shape.path = above, true
			kinds = append(kinds, shape)
		}
	}
	return kinds
}
