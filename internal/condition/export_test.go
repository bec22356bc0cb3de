package condition

import "time"

// LibraryReads is the variable that each function of the library reads.
var LibraryReads = libraryReads

// SetTimeout shortens how long the conditions may take.
func (s *Set) SetTimeout(d time.Duration) { s.timeout = d }
