package cpp

import (
	"cmp"
	"slices"
	"strings"
)

// declaration is one declaration of a scope: all tokens up to its semicolon, or to the end of its body.
type declaration struct {
	*file
	scope

	from, end int // of its tokens, with the semicolon or the body
	last      int // after its tokens without these
	members   int // the brace of members, of enumerators or of a namespace, or 0
	word      int // class, struct, union, enum or namespace; or -1
	equals    int // the sign before its value, or -1
	colon     int // before what a constructor initializes, or -1
}

// attributes are words before brackets that have no parameters.
var attributes = set("__attribute__ __attribute __declspec alignas _Alignas decltype typeof __typeof__ __typeof noexcept throw requires asm __asm__ __asm explicit _Atomic alignof sizeof static_assert _Static_assert __extension__ __pragma _Pragma")

// keywords are no names of what is declared.
var keywords = set(`alignas alignof asm auto bool char char8_t char16_t char32_t class const consteval constexpr constinit decltype default delete
	double enum explicit export extern final float friend inline int long mutable namespace new noexcept operator override private protected public register restrict
	short signed static static_assert struct template this thread_local throw try typedef typename union unsigned using virtual void volatile wchar_t
	_Alignas _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local __attribute__ __attribute __declspec __extension__ __inline __inline__
	__restrict __restrict__ __typeof__ __typeof typeof __volatile__ __const __asm__ __asm __signed__ requires concept`)

// plusPlus are those that C++ alone has.
var plusPlus = set("class delete explicit export final friend mutable namespace new operator override private protected public template this throw try typename using virtual concept requires")

// builtin are the words that are a type alone.
var builtin = set("auto bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t _Bool")

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// find finds the end of a declaration, and what its braces are.
func (d *declaration) find(to int) error {
	d.word, d.equals, d.colon = -1, -1, -1
	parameters, initialized := false, false
	d.end = to
	i := d.start()
	for ; i < to; i = d.next(i, to) {
		switch s := d.at(i); {
		case s == ";":
			d.last, d.end = i, i+1
			if open := d.oldStyle(i, to); parameters && open > 0 {
				d.last, d.end = open, d.match[open]+1
			}
			return nil
		case d.says(i, "operator"):
			parameters = true
			if open := d.operands(i, to); open > 0 {
				i = open
			}
		case s == "=" && d.equals < 0:
			d.equals = i
		case d.equals >= 0:
		case s == ":" && parameters && d.colon < 0:
			d.colon = i
		case d.word < 0 && d.colon < 0 && d.says(i, "namespace", "class", "struct", "union", "enum"):
			d.word = i
		case s == "(":
			parameters = parameters || i > d.from && !attributes[d.at(i-1)]
		case s == "{":
			switch {
			case i == d.from:
				return &wrong{d.tokens[i].start, "\"{\" cannot be here"}
			case initialized || d.is(i-1, "requires") || d.is(i-1, ")") && d.requires(d.match[i-1]-1):
			case parameters && d.colon >= 0 && (d.isName(i-1) || d.is(i-1, ">")):
			case d.members > 0 || d.isValue(i, to):
				initialized = true
			case d.opens(i):
				if d.members = i; d.word < 0 || d.is(d.word, "namespace") {
					d.last, d.end = i, d.match[i]+1
					return nil
				}
			default:
				d.last, d.end = i, d.match[i]+1
				switch { // a macro may open anything
				case !parameters:
					d.members, d.word = i, -1
				case !d.source && d.isMacro(i):
					d.last = d.end
				}
				for d.is(d.end, "catch") && d.is(d.end+1, "(") && d.is(d.match[d.end+1]+1, "{") {
					d.end = d.match[d.match[d.end+1]+1] + 1
				}
				return nil
			}
		}
	}
	d.last, d.end = to, to
	return nil
}

// operands returns the bracket with the parameters of an operator, or 0.
func (d *declaration) operands(at, to int) int {
	for i := at + 1; i < min(to, at+maxLook) && !d.is(i, ";", "{"); i++ {
		if d.is(i, "(") && (i > at+1 || !d.is(i+1, ")") || !d.is(i+2, "(")) {
			return i
		}
	}
	return 0
}

// isMacro reports whether only a macro with arguments is before a brace.
func (d *declaration) isMacro(open int) bool {
	return d.is(open-1, ")") && d.match[open-1] == d.from+1 && d.isName(d.from) && d.at(d.from) != d.class
}

// oldStyle returns the brace of a function whose parameters are declared after its brackets, or 0.
func (d *declaration) oldStyle(i, to int) int {
	names := 0 // the last bracket, of names alone
	for j := d.from; j < i; j = d.next(j, i) {
		if d.is(j, "(") {
			names = j
		}
	}
	if names == 0 || d.match[names]+1 >= i || d.tokens[d.match[names]+1].kind != word {
		return 0
	}
	for n := 0; n < maxLook && i < to; n++ {
		switch {
		case d.is(i, ";") && d.is(i+1, "{"):
			return i + 1
		case d.is(i, "(") && (d.is(i+1, "*") || d.is(i-1, ")")): // a parameter that is a function
		case d.tokens[i].kind != word && !d.is(i, "*", ",", ";", "["):
			return 0
		}
		i = d.next(i, to)
	}
	return 0
}

// requires reports whether a word begins an expression with braces, and no condition before a body.
func (d *declaration) requires(at int) bool {
	return d.is(at, "requires") && d.is(at-1, "requires", "&&", "||", "!", "=", "(")
}

// isValue reports whether a brace begins a value, not a body.
func (d *declaration) isValue(open, to int) bool {
	after := d.match[open] + 1
	if after >= to || d.word >= 0 && d.opens(open) {
		return false
	}
	return d.is(after, ";") && d.isMacro(open) || d.is(after, ";", ",", "=") && (d.isName(open-1) || d.is(open-1, ">", "]"))
}

// opens reports whether a brace begins members of a type, enumerators, or declarations.
func (d *declaration) opens(open int) bool {
	if d.word < 0 {
		return d.is(open-2, "extern") && d.tokens[open-1].kind == literal
	}
	if d.is(d.word, "namespace") {
		return true
	}
	name := false
	for i := d.word + 1; i < open; i = d.next(i, open) {
		switch {
		case d.is(i, ":"):
			return true
		case d.is(i, "("):
			if w := d.at(i - 1); !attributes[w] && (!isCapital(w) || !name && i+2 >= open) {
				return false
			}
		case d.isName(i):
			name = name || !d.is(i+1, "(")
		case !d.is(i, "class", "struct", "::", "<", "[", "final", "const") && !attributes[d.at(i)] && d.tokens[i].kind != word:
			return false
		}
	}
	return true
}

// read adds the symbols of a declaration.
func (d *declaration) read() error {
	first := d.from
	switch {
	case d.is(first, "static_assert", "_Static_assert"):
		return nil
	case d.members > 0 && (d.word < 0 || d.is(d.word, "namespace")):
		return d.namespace()
	case d.word >= 0 && d.members > 0:
		return d.typed()
	case d.says(d.start(), "using"):
		return d.using()
	case d.says(first, "namespace"): // another name of one
		return d.symbol("namespace", first+1)
	case d.is(first, "typedef"):
		return d.declarators("type", first+1, d.last)
	case d.says(d.start(), "concept"):
		return d.symbol("concept", d.start()+1)
	case d.word >= 0 && d.forward():
		if d.isFriend() {
			return nil
		}
		kind := declared
		if d.word > d.start() { // with a macro, which may declare more
			kind = d.at(d.word)
		}
		return d.symbol(kind, d.nameAfter(d.word, d.last))
	}
	if name, group, nested := d.function(first, d.last); group > 0 {
		return d.declareFunction(name, group, nested)
	}
	if d.isFriend() {
		return nil
	}
	return d.declarators("variable", first, d.last)
}

// isFriend reports whether a declaration lets other code see private members.
func (d *declaration) isFriend() bool {
	return slices.Contains(d.tokensOf(d.start(), min(d.start()+3, d.last)), "friend") && !d.c
}

// start returns the index after template<…>, if the declaration begins with it.
func (d *declaration) start() int {
	i := d.from
	for d.says(i, "template") && d.is(i+1, "<") && d.arguments(i+1, d.end) > i+1 {
		i = d.arguments(i+1, d.end)
	}
	return i
}

// forward reports whether a declaration only names a type.
func (d *declaration) forward() bool {
	for i := d.word + 1; i < d.last; i = d.next(i, d.last) {
		if d.is(i, ":") {
			return true // the type of an enum
		}
		macro := d.is(i, "(") && (attributes[d.at(i-1)] || isCapital(d.at(i-1)))
		if !macro && !d.isName(i) && !d.is(i, "::", "class", "struct", "[", "<") && !attributes[d.at(i)] {
			return false
		}
	}
	return d.nameAfter(d.word, d.last) == d.last-1 || d.is(d.last-1, ">")
}

// nameAfter returns the name of a type after the word that declares it, without attributes, or -1.
func (d *declaration) nameAfter(at, to int) int {
	name := -1
	for i := at + 1; i < to && !d.is(i, ":", "="); i = d.next(i, to) {
		if d.isName(i) && !d.is(i+1, "(") {
			name = i
			if !d.is(i+1, "::", "<") && i+1 < to && !d.isName(i+1) && !d.is(i+1, "[") && !attributes[d.at(i+1)] {
				break
			}
		}
	}
	return name
}

// typeName returns the name of a type with what qualifies it and its template arguments.
func (d *declaration) typeName(at, to int) string {
	if at < 0 {
		return ""
	}
	name := d.qualifiers(at) + d.at(at)
	if end := d.arguments(at+1, to); end > at+1 && d.is(at+1, "<") {
		name += strings.Join(d.tokensOf(at+1, end), "")
	}
	return name
}

// namespace adds a namespace and its declarations, or those in the braces of a linkage or of a macro.
func (d *declaration) namespace() error {
	inner := d.scope
	switch {
	case d.word >= 0:
		var names []string
		for i := d.word + 1; i < d.members; i = d.next(i, d.members) {
			if d.isName(i) && !d.is(i+1, "(") {
				names = append(names, d.at(i))
			}
		}
		if len(names) == 0 {
			inner.hidden = true
			break
		}
		inner = inner.in(strings.Join(names, "."))
		if err := d.emit(d.scope, strings.Join(names, "."), "namespace", d.tokensOf(d.from, d.members), d.word); err != nil {
			return err
		}
	case !d.is(d.members-2, "extern"):
		if err := d.call(d.members); err != nil {
			return err
		}
	}
	return d.declarations(d.members+1, d.match[d.members], inner)
}

// typed adds a type with its members, and what else the declaration names. A type without a name has that of
// the first declarator.
func (d *declaration) typed() error {
	end, kind := d.match[d.members], d.at(d.word)
	head := d.tokensOf(d.from, d.members)
	name, at := "", d.nameAfter(d.word, d.members)
	named := at >= 0
	if named {
		name = d.typeName(at, d.members)
	} else if at = d.nameAfter(end, d.last); at >= 0 {
		name = d.at(at)
	} else {
		at = d.word
	}
	inner := d.scope
	if name != "" && (kind != "enum" || d.is(d.word+1, "class", "struct")) {
		inner = inner.in(name)
	}
	inner.hidden, inner.private = d.hidden || d.private || d.source, kind == "class"
	var contents []string
	var err error
	if kind == "enum" {
		contents = d.tokensOf(d.members+1, end+1)
		contents = contents[:len(contents)-1] // without a comma at its end
		err = d.enumerators(inner)
	} else {
		inner.class, inner.fields = cmp.Or(d.at(d.nameAfter(d.word, d.members)), d.class, "-"), &contents
		if name == "" && d.fields != nil {
			inner.fields = d.fields // its members are those of what it is in
		}
		err = d.declarations(d.members+1, end, inner)
	}
	if err != nil {
		return err
	}
	isType := d.is(d.from, "typedef")
	if name != "" || kind == "enum" {
		s := d.scope
		s.hidden = s.hidden || d.source
		signature := slices.Concat(head, []string{"{"}, contents, []string{"}"})
		if !named {
			signature = slices.Concat(signature, d.tokensOf(end+1, d.last))
		} else if isType {
			signature = signature[1:]
		}
		err = d.emit(s, cmp.Or(name, "enum"), kind, signature, at)
	}
	switch {
	case err != nil || end+1 >= d.last || isType && !named && at == d.last-1:
		return err
	case isType:
		return d.declarators("type", end+1, d.last)
	default:
		return d.declarators("variable", end+1, d.last)
	}
}

// enumerators adds the names of an enum.
func (d *declaration) enumerators(s scope) error {
	s.private = false
	for i, to := d.members+1, d.match[d.members]; i < to; {
		end := i
		for end < to && !d.is(end, ",") {
			end = d.next(end, to)
		}
		if d.isName(i) && !d.is(i+1, "(") {
			one := declaration{file: d.file, from: i, end: end}
			if err := one.emit(s, d.at(i), "enumerator", d.tokensOf(i, end), i); err != nil {
				return err
			}
		}
		i = end + 1
	}
	return nil
}

// using adds another name of a type, or a name of another scope.
func (d *declaration) using() error {
	if name := d.start() + 1; d.equals >= 0 && d.isName(name) {
		return d.symbol("type", name)
	}
	s := d.scope
	s.hidden = s.hidden || d.source
	name := d.last - 1
	for name > d.from && !d.isName(name) {
		name--
	}
	return d.emit(s, d.at(name), "using", d.tokensOf(d.from, d.last), name)
}

// symbol adds a symbol that only includes of the file can see, with the name of a token.
func (d *declaration) symbol(kind string, name int) error {
	s := d.scope
	s.hidden = s.hidden || d.source
	if !d.isName(name) {
		name = d.from
	}
	return d.emit(s, d.typeName(name, d.last), kind, d.tokensOf(d.from, d.last), name)
}

// call adds what a macro stands for, which may be anything.
func (d *declaration) call(to int) error {
	return d.emit(d.scope, d.at(d.from), "macro call", d.tokensOf(d.from, to), d.from)
}

// emit adds a symbol with its place.
func (d *declaration) emit(s scope, name, kind string, signature []string, at int) error {
	return d.add(s, name, kind, join(signature), d.tokens[d.from], d.tokens[d.end-1], d.tokens[at].start)
}

// isStatic reports whether a declaration is only for its file.
func (d *declaration) isStatic(to int) bool {
	for i := d.from; i < to; i = d.next(i, to) {
		if d.is(i, "static") {
			return true
		}
	}
	return false
}

// function finds the name of a function and its parameters. Without any, the brackets are 0.
func (d *declaration) function(from, to int) (name, group int, nested bool) {
	macro := 0
	for i := from; i < to; i = d.next(i, to) {
		switch {
		case i == d.equals || i == d.colon || d.is(i, ",", ":") && macro == 0:
			if macro > 0 {
				return macro - 1, macro, false
			}
			return 0, 0, false
		case d.says(i, "operator"):
			return i, d.operands(i, to), false
		case !d.is(i, "("):
		case i > from && d.is(i-1, ">"): // the arguments of a template are before the brackets
			if n := d.match[i-1]; n > from {
				return n - 1, i, false
			}
		case i == from || attributes[d.at(i-1)]:
		case !d.isName(i-1) || d.points(i) && d.is(i+1, "*", "&", "^") || isCapital(d.at(i-1)) && d.points(i):
			for n := i + 1; n < d.match[i]; n++ {
				if d.isName(n) && d.is(n+1, ")", "(", "[") {
					if d.is(i+1, "*", "&", "^") && !d.is(n+1, "(") || !d.is(d.match[i]+1, "(") {
						return n, 0, true // a pointer to a function, or a variable
					}
					return n, i, true
				}
			}
		case isCapital(d.at(i-1)) && d.at(i-1) != d.class:
			if d.is(i-2, "*", "&") {
				return i - 1, i, false
			}
			if macro == 0 {
				macro = i
			}
		default:
			return i - 1, i, false
		}
	}
	if macro > 0 {
		for i := d.match[macro] + 1; macro == from+1 && i < to; i = d.next(i, to) {
			if d.isName(i) && !isCapital(d.at(i)) {
				return 0, 0, false // an attribute of a variable
			}
		}
		return macro - 1, macro, false
	}
	return 0, 0, false
}

// declareFunction adds a function, or what a macro declares.
func (d *declaration) declareFunction(name, group int, nested bool) error {
	end := d.last
	if d.colon >= 0 {
		end = min(end, d.colon)
	}
	kind := "function"
	if d.class != "" {
		kind = "method"
	}
	var signature []string
	for i := d.from; i < group; i++ {
		if d.is(i, "extern") && d.tokens[i+1].kind != literal {
			continue
		}
		signature = d.token(signature, d.tokens[i])
	}
	if nested && d.match[group] < end && d.is(d.match[group]+1, "(") {
		signature = append(signature, d.tokensOf(group, d.match[group]+1)...)
		group = d.match[group] + 1
	}
	called := d.functionName(name, group, nested)
	if name == d.from && called != d.class && !d.says(name, "operator") {
		kind = "macro call"
	}
	if kind == "macro call" {
		signature = append(signature, d.tokensOf(group, end)...)
	} else {
		signature = d.parameters(signature, group)
		signature = append(signature, d.tokensOf(d.match[group]+1, end)...)
	}
	s := d.scope
	s.hidden = s.hidden || d.source && (d.class != "" || d.isStatic(name))
	s.private = s.private && !d.isFriend()
	if d.isName(d.from) && isCapital(d.at(d.from)) && d.is(d.from+1, "(") && group > d.from+1 && s.hidden && !d.hidden {
		// The macro may declare more than what follows it.
		if err := d.call(d.match[d.from+1] + 1); err != nil {
			return err
		}
	}
	return d.emit(s, called, kind, signature, name)
}

// functionName returns the name of a function, with those that qualify it.
func (d *declaration) functionName(name, group int, nested bool) string {
	if d.says(name, "operator") && !nested {
		called := strings.Join(d.tokensOf(name, group), " ")
		if !d.isName(name+1) && !keywords[d.at(name+1)] {
			called = strings.ReplaceAll(called, " ", "")
		}
		return d.qualifiers(name) + called
	}
	called := d.at(name)
	at := name
	if d.is(name-1, "~") && name > d.from {
		called, at = "~"+called, name-1
	}
	return d.qualifiers(at) + called
}

// qualifiers returns the names before a token, each with a dot after it.
func (d *declaration) qualifiers(at int) string {
	names := []string{""}
	for at-2 >= d.from && d.is(at-1, "::") {
		if at -= 2; d.is(at, ">") && d.match[at] > d.from {
			at = d.match[at] - 1
		}
		if !d.isName(at) {
			break
		}
		names = append(names, d.at(at))
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// isConstant reports whether a variable is constant, so that C++ keeps it in its file.
func (d *declaration) isConstant(name int) bool {
	if !d.plus || name < 0 || d.is(name-1, "::") {
		return false
	}
	before := d.tokensOf(d.from, name)
	has := func(w string) bool { return slices.Contains(before, w) }
	return !has("extern") && !has("inline") && (has("constexpr") || has("const") && !has("*"))
}

// isCall reports whether a declaration is only words that are macros.
func (d *declaration) isCall(from, to int) bool {
	for i := from; i < to; i++ {
		if !d.isName(i) || to > from+1 && !isCapital(d.at(i)) {
			return false
		}
	}
	return true
}

// points reports whether a bracket has a name that is declared, with what brackets after it have.
func (d *declaration) points(open int) bool {
	return d.is(d.match[open]+1, "(", "[") && (d.is(open+1, "*", "&", "^") || d.isName(open+1) && d.is(open+2, "*") || d.is(open+2, "::") && d.is(open+3, "*") || d.match[open] == open+2 && d.isName(open+1))
}

// declarators adds each name that a declaration of variables or of types declares.
func (d *declaration) declarators(kind string, from, to int) error {
	type part struct{ from, to, name int }
	var parts []part
	for i := from; i < to; {
		p := part{from: i, name: -1}
		value, array := false, false
		for i < to && !d.is(i, ",") {
			value = value || d.is(i, "=") || i == d.equals || d.is(i, "{") && i != d.members
			switch {
			case value || d.is(i, ":"):
				value = true
			case d.is(i, "(") && (i == d.from || !attributes[d.at(i-1)]):
				for n := i + 1; n < d.match[i] && p.name < i && d.points(i); n++ {
					if d.isName(n) && d.is(n+1, ")", "(", "[") {
						p.name = n
					}
				}
				value = p.name >= 0 && p.name > i
			case d.is(i, "["):
				array = p.name >= 0
			case d.isName(i) && !array && !d.is(i+1, "::") && (!d.is(i+1, "(") || !isCapital(d.at(i))):
				p.name = i
			}
			i = d.next(i, to)
		}
		p.to = i
		if p.name < 0 && kind == "type" && i > p.from && d.tokens[i-1].kind == word {
			p.name = i - 1 // typedef int bool
		}
		parts = append(parts, p)
		i++
	}
	s, static := d.scope, d.isStatic(to)
	s.hidden = s.hidden || d.source && (kind == "type" || d.class != "" || static || len(parts) > 0 && d.isConstant(parts[0].name))
	if d.class != "" && kind == "variable" {
		kind = "field"
	}
	before := d.tokensOf(d.from, from) // of a type that the declaration also defines
	if d.members > 0 {
		before = slices.Concat(d.tokensOf(d.from, d.members), []string{"{", "}"})
	}
	if len(parts) == 1 && d.members == 0 && (parts[0].name < 0 || d.isCall(d.from, parts[0].to)) {
		return d.call(d.last)
	}
	for n, p := range parts {
		if p.name < 0 {
			continue
		}
		tokens := slices.Clone(before)
		if n > 0 {
			typed := parts[0].name
			for typed > from && d.is(typed-1, "*", "&", "(") {
				typed--
			}
			tokens = append(tokens, d.tokensOf(from, typed)...)
		}
		end := p.to
		if d.source && kind == "variable" {
			for i := p.from; i < end; i = d.next(i, p.to) {
				if d.is(i, "=") || d.is(i, "{") {
					end = i
				}
			}
		}
		tokens = d.declarator(tokens, p.from, end, p.name)
		name := d.qualifiers(p.name) + d.at(p.name)
		if d.fields != nil && kind == "field" && !s.hidden && !s.private && !static {
			*d.fields = append(*d.fields, d.at(p.name))
		}
		if err := d.emit(s, name, kind, tokens, p.name); err != nil {
			return err
		}
	}
	return nil
}

// tokensOf returns the texts of tokens.
func (d *declaration) tokensOf(from, to int) []string {
	var all []string
	for _, t := range d.tokens[from:max(from, to)] {
		all = d.token(all, t)
	}
	return all
}

// declarator adds tokens up to a value, without the names of parameters: of the type of a function, or of what
// the declared name points to.
func (d *declaration) declarator(tokens []string, from, to, name int) []string {
	for i := from; i < to; i++ {
		if d.is(i, "=", "{") {
			return append(tokens, d.tokensOf(i, to)...)
		}
		if d.is(i, "(") && i > from && (i == name+1 || d.is(i-1, ")") && d.points(d.match[i-1])) {
			tokens = d.parameters(tokens, i)
			i = d.match[i]
			continue
		}
		tokens = d.token(tokens, d.tokens[i])
	}
	return tokens
}

// parameters adds the parameters of a function without their names.
func (d *declaration) parameters(tokens []string, open int) []string {
	tokens = append(tokens, "(")
	from, to := open+1, d.match[open]
	for i := from; i < to; {
		end, value := i, 0
		for end < to && !d.is(end, ",") {
			if d.is(end, "=") && value == 0 {
				value = end
			}
			end = d.next(end, to)
		}
		if value == 0 {
			value = end
		}
		tokens = d.parameter(tokens, i, value)
		tokens = append(tokens, d.tokensOf(value, end)...)
		if end < to {
			tokens = append(tokens, ",")
		}
		i = end + 1
	}
	return append(tokens, ")")
}

// parameter adds the type of a parameter.
func (d *declaration) parameter(tokens []string, from, to int) []string {
	name, typed := -1, false
	for i := from; i < to; i = d.next(i, to) {
		switch {
		case d.is(i, "[") && i > from:
			i = to
		case d.is(i, "(") && d.is(i+1, "*", "&", "^") && d.is(d.match[i]+1, "("):
			tokens = append(tokens, d.tokensOf(from, i)...)
			for n := i; n <= d.match[i]; n++ {
				if !d.isName(n) || !d.is(n-1, "*", "&", "^", "const") || !d.is(n+1, ")", "[") {
					tokens = d.token(tokens, d.tokens[n])
				}
			}
			tokens = d.parameters(tokens, d.match[i]+1)
			return append(tokens, d.tokensOf(d.match[d.match[i]+1]+1, to)...)
		case d.isName(i):
			if typed && !d.is(i-1, "::", "struct", "class", "union", "enum", "typename", ".") && !d.is(i+1, "::", "<", "(") {
				name = i
			}
			typed = typed || !isCapital(d.at(i)) && !d.is(i+1, "(")
		case d.is(i, "*", "&", "&&", "...", "<") || builtin[d.at(i)]:
			typed = true
		}
	}
	for i := from; i < to; i++ {
		if i != name {
			tokens = d.token(tokens, d.tokens[i])
		}
	}
	return tokens
}
