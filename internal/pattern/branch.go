package pattern

import "strings"

// branch is a compiled pattern without alternatives: literal text at both ends,
// and ops between them.
type branch struct {
	prefix  string
	suffix  string // "" when ops is empty
	ops     []op
	least   int // length of the shortest match in bytes
	literal int // bytes of literal text
	vars    int // number of ops that can match text of several lengths
	slots   int
	outside string // a directory, with "/" on both sides, whose files the branch does not match; empty: none
}

// opKind is the kind of an op.
type opKind uint8

const (
	opText   opKind = iota // the text itself
	opOne                  // ?
	opClass                // [a-z]
	opStar                 // *
	opDirs                 // **/
	opRest                 // ** at the end: the rest, which is not empty
	opSingle               // capture within a segment
	opMulti                // capture across segments
	opAgain                // the text of an earlier capture of the same name
)

// op is one step of matching.
type op struct {
	kind  opKind
	text  string // opText
	class *class // opClass
	slot  int    // captures and opAgain: index of the variable, -1 without a name
	again bool   // captures: an opAgain refers to it
	write filter // captures and opAgain: the text must be as it writes it
	index int    // among the ops of varying length

	// whole: opStar and opSingle extend to the end of their segment.
	whole bool
	// slashes: opDirs: number of "/" that the following ops match, -1 if it varies.
	slashes int
}

// lower compiles tokens without choices to a branch.
func lower(tokens []token, vars []Variable) branch {
	b := branch{slots: len(vars)}
	text := strings.Builder{} // of the last op
	seen := make([]bool, len(vars))
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		b.literal += len(t.text)
		switch t.kind {
		case anyOne:
			b.ops = append(b.ops, op{kind: opOne})
		case oneOf:
			b.ops = append(b.ops, op{kind: opClass, class: t.class})
		case star:
			b.ops = append(b.ops, op{kind: opStar})
		case doubleStar:
			if i+1 == len(tokens) {
				b.ops = append(b.ops, op{kind: opRest})
				continue
			}
			i++ // opDirs includes the slash after it
			b.literal++
			b.ops = append(b.ops, op{kind: opDirs})
		case capture:
			o := op{kind: opSingle, slot: slotOf(vars, t.name), write: t.filter}
			if t.multi {
				o.kind = opMulti
			}
			if o.slot >= 0 && seen[o.slot] {
				o.kind = opAgain
			} else if o.slot >= 0 {
				seen[o.slot] = true
			}
			b.ops = append(b.ops, o)
		case literal, slash, choice:
			if n := len(b.ops); n == 0 || b.ops[n-1].kind != opText {
				text.Reset()
				b.ops = append(b.ops, op{kind: opText})
			}
			text.WriteString(t.text)
			b.ops[len(b.ops)-1].text = text.String()
		}
	}
	b.trim()
	b.annotate()
	return b
}

// trim moves the text at both ends to prefix and suffix.
func (b *branch) trim() {
	if len(b.ops) > 0 && b.ops[0].kind == opText {
		b.prefix, b.ops = b.ops[0].text, b.ops[1:]
	}
	if n := len(b.ops); n > 0 && b.ops[n-1].kind == opText {
		b.suffix, b.ops = b.ops[n-1].text, b.ops[:n-1]
	}
}

// annotate sets the fields of each op that depend on later ops, from the last op
// to the first.
func (b *branch) annotate() {
	b.least = len(b.prefix) + len(b.suffix)
	slashes := 0
	again := make([]bool, b.slots)
	multi := make([]bool, b.slots)
	for _, o := range b.ops {
		if o.kind == opMulti && o.slot >= 0 {
			multi[o.slot] = true
		}
	}
	for i := len(b.ops) - 1; i >= 0; i-- {
		o := &b.ops[i]
		ends := i+1 == len(b.ops) || strings.HasPrefix(b.ops[i+1].text, "/")
		varies := false
		switch o.kind {
		case opText:
			b.least += len(o.text)
			if slashes >= 0 {
				slashes += strings.Count(o.text, "/")
			}
		case opOne, opClass:
			b.least++
		case opAgain:
			b.least++
			again[o.slot] = true
			varies = multi[o.slot]
		case opSingle, opMulti:
			b.least++
			o.again = o.slot >= 0 && again[o.slot]
			o.whole = ends && o.kind == opSingle
			varies = o.kind == opMulti
			o.index, b.vars = b.vars, b.vars+1
		case opStar:
			o.whole = ends
			o.index, b.vars = b.vars, b.vars+1
		case opDirs:
			o.slashes = slashes
			varies = true
			o.index, b.vars = b.vars, b.vars+1
		case opRest:
			b.least++
			varies = true
		}
		if varies {
			slashes = -1
		}
	}
}
