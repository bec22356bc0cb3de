package agentlog

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
)

// grouped puts the files together that may hold rows of the same session, or
// copies of the same rows, as far as a look at each shows: those that name the
// same session, and those that begin at the same instant, as a copy does. The
// groups come in the order of their starts.
func grouped(parts []*part) [][]int {
	root := make([]int, len(parts))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	first := map[string]int{}
	anonymous := anonymousIn(parts)
	for i, p := range parts {
		keys := p.keys()
		if anonymous != nil && p.reader != nil && (p.reader.name == "claude" || p.inState() && keys[0] == anonymous.key) {
			keys = append(keys, "claude of anybody")
		}
		for _, key := range keys {
			if j, ok := first[key]; ok {
				root[find(i)] = find(j)
			} else {
				first[key] = i
			}
		}
	}
	members := map[int][]int{}
	for i := range parts {
		members[find(i)] = append(members[find(i)], i)
	}
	groups := make([][]int, 0, len(members))
	for _, group := range members {
		groups = append(groups, group)
	}
	start := func(group []int) *part {
		return slices.MinFunc(pick(parts, group), func(a, b *part) int {
			return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.file, b.file))
		})
	}
	slices.SortFunc(groups, func(a, b []int) int {
		p, q := start(a), start(b)
		return cmp.Or(p.Start.Compare(q.Start), cmp.Compare(p.file, q.file), cmp.Compare(a[0], b[0]))
	})
	return groups
}

// keys are what a file shares with those of its group.
func (p *part) keys() []string {
	if p.reader == nil {
		return nil
	}
	switch {
	case p.inState():
		keys := []string{p.directory()}
		for id := range p.ids {
			keys = append(keys, "claude "+id)
		}
		return append(keys, "claude ")
	case p.reader.name == "archive":
		return []string{"archive"}
	}
	keys := []string{p.reader.name + " " + p.ID}
	if !p.Start.IsZero() {
		keys = append(keys, "from "+p.Start.String())
	}
	if !strings.HasPrefix(p.stem, "agent-") {
		keys = append(keys, p.reader.name+" "+p.stem)
	}
	return keys
}

// known are the calls and prompts that were given already, by a fingerprint of
// their ids: 128 bits, which two ids never share.
type known map[fingerprint]struct{}

type fingerprint [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func fingerprintOf(id string) fingerprint {
	return fingerprint{maphash.String(seeds[0], id), maphash.String(seeds[1], id)}
}

func (k known) has(id string) bool {
	_, ok := k[fingerprintOf(id)]
	return ok
}

func (k known) add(p *part) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.ID != "" {
			k[fingerprintOf("call "+p.scope+c.ID)] = struct{}{}
		}
	}
	for i := range p.Tokens {
		if t := &p.Tokens[i]; t.CallID != "" {
			k[fingerprintOf("tokens "+t.CallID)] = struct{}{}
		}
	}
	for _, r := range p.Prompts {
		if r.ID != "" {
			k[fingerprintOf("prompt "+r.ID)] = struct{}{}
		}
	}
}
