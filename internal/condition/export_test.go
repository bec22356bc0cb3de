package condition

import "time"

// LibraryReads is the variable that each function of the library reads.
var LibraryReads = libraryReads

// SetTimeout shortens how long the conditions may take.
func (c *Set) SetTimeout(d time.Duration) { c.timeout = d }
