package pattern

import "strings"

// maxFreedom limits the cost of repeated placeholders; see freedom.
const maxFreedom = 2

// freedom counts the ends of repeated and filtered captures whose position does not follow from
// the text before them. Each multiplies the time of a match by the length of the
// path, because recorded failures only hold for one value of a capture. Otherwise
// every op tries each position of the path at most once.
func (b *branch) freedom() int {
	n := 0
	place, segment := false, false // whether the position, and its segment, can vary
	for i, o := range b.ops {
		switch o.kind {
		case opText:
			if strings.Contains(o.text, "/") {
				place = segment
			}
		case opStar:
			place = place || !o.whole
		case opDirs:
			place, segment = o.slashes < 0, o.slashes < 0
		case opSingle, opMulti:
			settled := o.whole || o.kind == opMulti && i+1 == len(b.ops)
			if !o.depends() {
				place = place || !settled
				segment = segment || o.kind == opMulti && !settled
				continue
			}
			if place {
				n++
			}
			if !settled {
				n++
			}
			place, segment = false, false
		case opOne, opClass, opAgain, opRest:
		}
	}
	return n
}
