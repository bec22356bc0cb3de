package agentlog

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
)

// groupFiles returns the files that may hold rows of the same session, or copies of the
// same rows, as indexes of parts: files that name the same session, and files that begin
// at the same time, as a copy does. Groups are ordered by their starts.
func groupFiles(parts []*part) [][]int {
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
		if anonymous != nil && p.reader != nil && (p.reader.joinsDirectory || p.isState() && keys[0] == anonymous.key) {
			keys = append(keys, "no id")
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

// keys returns what a file has in common with the other files of its group.
func (p *part) keys() []string {
	if p.reader == nil {
		return nil
	}
	switch p.reader.grouping {
	case byDirectory:
		keys := []string{p.directory()}
		for id := range p.ids {
			keys = append(keys, joinable+id)
		}
		return append(keys, joinable)
	case byFile:
		return []string{p.reader.name}
	case byID:
	}
	prefix := p.reader.name + " "
	if p.reader.joinsDirectory {
		prefix = joinable
	}
	keys := []string{prefix + p.ID}
	if !p.Start.IsZero() {
		keys = append(keys, "from "+p.Start.String())
	}
	if p.reader.subagent == "" || !strings.HasPrefix(p.stem, p.reader.subagent) {
		keys = append(keys, prefix+p.stem)
	}
	return keys
}

// joinable begins the keys of logs that state directories include.
const joinable = "joinable "

// known holds fingerprints of the ids of calls, tokens and prompts that were yielded
// before. With 128 bits no two ids share one.
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
