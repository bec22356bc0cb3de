package mine

// matchesOf returns, by template, the names that changed at any time and match it. Templates
// that are not wanted have none.
func matchesOf(c *Corpus, templates []template, wanted []bool) [][]int32 {
	literal := map[string][]int32{}             // by the file's name
	captured := map[string]map[string][]int32{} // by what follows {name}, and what precedes it
	longest := 0
	for id, t := range templates {
		switch {
		case !wanted[id]:
		case !t.name:
			literal[t.pre] = append(literal[t.pre], number(id))
		default:
			if captured[t.post] == nil {
				captured[t.post] = map[string][]int32{}
			}
			captured[t.post][t.pre] = append(captured[t.post][t.pre], number(id))
			longest = max(longest, len(t.post))
		}
	}
	matches := make([][]int32, len(templates))
	for id, path := range c.paths {
		if len(c.events[id]) == 0 || c.copied[id] {
			continue
		}
		dir, base := split(path)
		try := func(list []int32) {
			for _, t := range list {
				if _, _, ok := templates[t].matchDirs(dir); ok {
					matches[t] = append(matches[t], number(id))
				}
			}
		}
		try(literal[base])
		for i := max(1, len(base)-longest); i <= len(base); i++ {
			byPre := captured[base[i:]]
			if len(byPre) == 0 {
				continue
			}
			for pre, list := range byPre {
				if len(pre) < i && base[:len(pre)] == pre {
					try(list)
				}
			}
		}
	}
	return matches
}
