package language

import "slices"

// imports marks the tokens of the statements that import. Those that bind no name are there to run
// code, and count.
type imports func(*source)

// statements calls visit with the first token of each statement: after a semicolon, a brace or,
// where lines end statements, a line.
func (s *source) statements(byLine bool, visit func(i, depth int)) {
	depth := 0
	s.all(func(prev, i int) {
		starts := prev < 0 || s.is(prev, ";") || s.is(prev, "{") || s.is(prev, "}") || byLine && s.newline(prev, i)
		if starts {
			visit(i, depth)
		}
		depth += s.nesting(i)
	})
}

// until returns the first token from an index that has a text, or the number of tokens.
func (s *source) until(i int, text string) int {
	for i < len(s.tokens) && !s.is(i, text) {
		i = s.next(i)
	}
	return i
}

// lineEnd returns the last token of the line on which a token is, outside of brackets.
func (s *source) lineEnd(i int) int {
	depth := s.nesting(i)
	for {
		next := s.next(i)
		if next >= len(s.tokens) || depth <= 0 && s.newline(i, next) {
			return i
		}
		i = next
		depth += s.nesting(i)
	}
}

// removeThrough marks a statement up to a semicolon, if it has one.
func (s *source) removeThrough(from int) {
	if to := s.until(from, ";"); to < len(s.tokens) {
		s.removeRange(from, to)
	}
}

func importsJava(s *source) {
	s.statements(false, func(i, depth int) {
		if depth == 0 && s.is(i, "import") {
			s.removeThrough(i)
		}
	})
}

func importsDart(s *source) { importsJava(s) }

// importsLine removes the lines that begin with import.
func importsLine(s *source) {
	s.statements(true, func(i, depth int) {
		if depth == 0 && s.is(i, "import") {
			s.removeRange(i, s.lineEnd(i))
		}
	})
}

func importsProto(s *source) {
	s.statements(false, func(i, depth int) {
		if depth == 0 && s.is(i, "import") && !s.is(s.next(i), "public") {
			s.removeThrough(i)
		}
	})
}

// importsCSharp removes directives, and no statement that disposes of a variable.
func importsCSharp(s *source) {
	s.statements(false, func(i, _ int) {
		first := i
		if s.is(i, "global") {
			i = s.next(i)
		}
		if !s.is(i, "using") {
			return
		}
		names := s.next(i)
		if s.is(names, "static") || s.is(names, "unsafe") {
			names = s.next(names)
		}
		alias := s.is(s.next(names), "=")
		for j := names; j < len(s.tokens); j = s.next(j) {
			switch {
			case s.is(j, ";"):
				s.removeRange(first, j)
				return
			case alias || s.is(j, ".") || s.is(j, "::"):
			case s.tokens[j].kind == word && (j == names || s.is(s.before(j), ".") || s.is(s.before(j), "::")):
			default:
				return
			}
		}
	})
}

func importsRust(s *source) {
	s.statements(false, func(i, _ int) {
		if s.is(i, "use") || s.is(i, "extern") && s.is(s.next(i), "crate") {
			s.removeThrough(i)
		}
	})
}

// importsPHP removes the imports of a file; in a class, use takes in a trait.
func importsPHP(s *source) {
	s.statements(true, func(i, depth int) {
		if depth == 0 && s.is(i, "use") {
			s.removeThrough(i)
		}
	})
}

// importsC removes the lines with #include.
func importsC(s *source) {
	s.statements(true, func(i, _ int) {
		if name := s.next(i); s.is(i, "#") && (s.is(name, "include") || s.is(name, "import")) && s.newline(s.before(i), i) {
			to := i
			for next := s.next(to); next < len(s.tokens) && !s.newline(to, next); next = s.next(to) {
				to = next
			}
			s.removeRange(i, to)
		}
	})
}

// importsPython removes import statements but those of __future__, which change the language.
func importsPython(s *source) {
	depth := 0
	for i := s.next(-1); i < len(s.tokens); i = s.next(i) {
		prev := s.before(i)
		starts := depth == 0 && (prev < 0 || s.newline(prev, i) || s.is(prev, ";") || s.is(prev, ":"))
		depth = max(0, depth+s.nesting(i))
		if !starts || !s.is(i, "import") && !s.is(i, "from") || s.is(i, "from") && s.is(s.next(i), "__future__") {
			continue
		}
		to := i
		for next := s.next(to); next < len(s.tokens); next = s.next(next) {
			if depth == 0 && (s.newline(to, next) || s.is(next, ";")) {
				break
			}
			depth = max(0, depth+s.nesting(next))
			to = next
		}
		s.removeRange(i, to)
		i = to
	}
}

// importsGo removes the imports that bind a name, and the words and brackets around all.
func importsGo(s *source) {
	s.goImports(func(spec []int) {
		if quote := s.of(s.tokens[spec[len(spec)-1]]); quote != `"C"` && (len(spec) != 2 || !s.is(spec[0], "_")) {
			for _, i := range spec {
				s.tokens[i].removed = true
			}
		}
	}, true)
}

// goImports calls visit with the tokens of each import of a file of Go.
func (s *source) goImports(visit func(spec []int), remove bool) {
	depth := 0
	for i := s.next(-1); i < len(s.tokens); i = s.next(i) {
		depth += s.nesting(i)
		if depth != 0 || !s.is(i, "import") {
			continue
		}
		from := i
		i = s.next(i)
		grouped := s.is(i, "(")
		if grouped {
			i = s.next(i)
		}
		var around, spec []int
		for ; i < len(s.tokens) && !s.is(i, ")"); i = s.next(i) {
			if s.is(i, ";") {
				around = append(around, i)
				continue
			}
			if spec = append(spec, i); s.isKind(i, quoted) {
				visit(spec)
				spec = nil
				if !grouped {
					break
				}
			}
		}
		if next := s.next(i); s.is(next, ";") {
			around = append(around, next)
		}
		if !remove || i >= len(s.tokens) {
			continue
		}
		s.tokens[from].removed = true
		if grouped {
			s.tokens[s.next(from)].removed, s.tokens[i].removed = true, true
		}
		for _, semicolon := range around {
			s.tokens[semicolon].removed = true
		}
	}
}

// preambles returns the places of the comments that cgo compiles.
func (s *source) preambles() (places [][2]int) {
	s.goImports(func(spec []int) {
		if last := spec[len(spec)-1]; s.of(s.tokens[last]) == `"C"` {
			from := 0
			i := s.before(spec[0])
			for s.is(i, "(") || s.is(i, "import") {
				i = s.before(i)
			}
			if i >= 0 {
				from = s.tokens[i].to
			}
			places = append(places, [2]int{from, s.tokens[last].from})
		}
	}, false)
	return places
}

// importsJS removes imports that bind names, and variables with the result of require.
func importsJS(s *source) {
	depth := 0
	for i := s.next(-1); i < len(s.tokens); i = s.next(i) {
		prev := s.before(i)
		starts := prev < 0 || s.is(prev, ";") || s.is(prev, "}") || s.newline(prev, i)
		if to := -1; starts && depth == 0 {
			switch {
			case s.is(i, "import"):
				to = s.importJS(i)
			case s.is(i, "const") || s.is(i, "let") || s.is(i, "var"):
				to = s.requireJS(i)
			}
			if to >= 0 {
				if next := s.next(to); s.is(next, ";") {
					to = next
				}
				s.removeRange(i, to)
				i = to
				continue
			}
		}
		depth += s.nesting(i)
	}
}

// importJS returns the last token of an import that begins at an index and binds names, or -1.
func (s *source) importJS(i int) int {
	from := s.next(i)
	if s.is(s.next(from), "=") || s.is(from, "type") && s.is(s.next(s.next(from)), "=") { // import x = require("x")
		for !s.is(from, "=") {
			from = s.next(from)
		}
		return s.requireCall(s.next(from))
	}
	binds := false
	for i = from; i < len(s.tokens) && !s.is(i, "from") || s.is(s.next(i), "from"); i = s.next(i) {
		allowed := s.isKind(i, word) || s.isKind(i, quoted) && i != from || s.is(i, ",") || s.is(i, "{") || s.is(i, "}") || s.is(i, "*")
		if !allowed {
			return -1
		}
		binds = binds || s.is(i, "*") || s.isKind(i, word) && (i != from || !s.is(i, "type") || s.is(s.next(i), "from"))
	}
	to := s.next(i)
	if !binds || !s.isKind(to, quoted) {
		return -1
	}
	if with := s.next(to); (s.is(with, "with") || s.is(with, "assert")) && s.is(s.next(with), "{") {
		return min(s.until(with, "}"), len(s.tokens)-1)
	}
	return to
}

// requireJS returns the last token of a declaration of what require returns, or -1.
func (s *source) requireJS(i int) int {
	i = s.next(i)
	depth := 0
	for ; i < len(s.tokens) && (depth > 0 || !s.is(i, "=")); i = s.next(i) {
		allowed := s.isKind(i, word) || slices.ContainsFunc([]string{"{", "}", "[", "]", ",", ":"}, func(m string) bool { return s.is(i, m) })
		if !allowed || depth == 0 && (s.is(i, ",") || s.is(i, ":")) {
			return -1
		}
		depth += s.nesting(i)
	}
	to := s.requireCall(s.next(i))
	if next := s.next(to); to >= 0 && !s.is(next, ";") && !s.newline(to, next) {
		return -1
	}
	if next := s.next(to); to >= 0 && (s.is(next, ".") || s.is(next, "(") || s.is(next, "[") || s.is(next, "?.")) {
		return -1 // it goes on
	}
	return to
}

// requireCall returns the last token of require("x"), or -1.
func (s *source) requireCall(i int) int {
	open := s.next(i)
	name := s.next(open)
	if to := s.next(name); s.is(i, "require") && s.is(open, "(") && s.isKind(name, quoted) && s.is(to, ")") {
		return to
	}
	return -1
}
