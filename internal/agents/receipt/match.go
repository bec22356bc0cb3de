package receipt

// possible holds how the rows of a journal may belong to calls, if both are in the order of
// time and each row belongs to one call.
type possible struct {
	rows, calls int
	fits        func(row, call int) bool
	// before[j] is how many of the first rows fit the calls before j, and after[j] how many
	// of the last rows fit the calls from j on.
	before, after []int
}

// match returns how rows may belong to calls; ok is false if they cannot all belong to one.
func match(rows, calls int, fits func(row, call int) bool) (p possible, ok bool) {
	p = possible{rows: rows, calls: calls, fits: fits, before: make([]int, calls+1), after: make([]int, calls+1)}
	for j := range calls {
		p.before[j+1] = p.before[j]
		if i := p.before[j]; i < rows && fits(i, j) {
			p.before[j+1]++
		}
	}
	for j := calls - 1; j >= 0; j-- {
		p.after[j] = p.after[j+1]
		if i := rows - 1 - p.after[j+1]; i >= 0 && fits(i, j) {
			p.after[j]++
		}
	}
	return p, p.before[calls] == rows
}

// of returns the rows that may belong to a call, and whether one of them must.
func (p possible) of(call int) (rows []int, certain bool) {
	before, after := p.before[call], p.after[call+1]
	for i := max(0, p.rows-1-after); i <= min(before, p.rows-1); i++ {
		if p.fits(i, call) {
			rows = append(rows, i)
		}
	}
	return rows, before+after < p.rows
}
