package diff

// UnjudgeableError says that a change cannot be determined in this repository as
// it stands, so that nothing may be concluded from it.
type UnjudgeableError struct {
	Reason string
	Mend   string // the command that mends it; empty where none is known
	Err    error  // git's own words, where they led to this
}

func (e *UnjudgeableError) Error() string {
	if e.Mend == "" {
		return e.Reason
	}
	return e.Reason + "; run: " + e.Mend
}

// Unwrap gives the failure of git behind the verdict, if any.
func (e *UnjudgeableError) Unwrap() error { return e.Err }
