package fact

// Coverage sums up the calls of a session or of a visit.
type Coverage struct {
	Calls      int            `json:"calls"`
	Checked    int            `json:"checked"`
	Observed   int            `json:"observed"` // those of Checked that could not have been refused
	NotChecked int            `json:"not_checked"`
	Unknown    int            `json:"unknown"`
	Reasons    map[string]int `json:"reasons"` // of calls that were not checked or are unknown
}

// Worst returns the counts as if no unknown call was checked.
func (c Coverage) Worst() Coverage {
	c.NotChecked, c.Unknown = c.NotChecked+c.Unknown, 0
	return c
}
