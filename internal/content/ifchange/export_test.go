package ifchange

// Balance returns how often each line, without its white space, is in one text more than in
// the other.
func Balance(now, before string) map[string]int {
	t := tally{}
	t.add(now, before)
	for line, n := range t {
		if n == 0 {
			delete(t, line)
		}
	}
	return t
}
