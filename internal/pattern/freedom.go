package pattern

import "strings"

// maxFreedom bounds what back references may cost.
const maxFreedom = 2

// freedom counts the ends of repeated captures whose place is not settled by
// what comes before. Each multiplies the time to match by the length of the
// path, since nothing learnt with a capture set one way holds with it set
// another way. Without, every op tries each place of the path but once.
func (b *branch) freedom() int {
	n := 0
	place, segment := false, false // whether the place, and its segment, is open
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
			if !o.again {
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
		case opOne, opClass, opAgain, opRest, opBelow:
		}
	}
	return n
}
