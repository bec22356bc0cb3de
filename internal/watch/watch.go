// Package watch waits until files change: it asks the kernel on Linux, and waits for a while
// elsewhere.
package watch

import "time"

// quiet is how long nothing changes before a change is reported: programs write several files.
const quiet = 100 * time.Millisecond

// longest is how long that silence is waited for: some programs write all the time.
const longest = time.Second
