package read

import (
	"errors"
	"io"
	"runtime"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// maxHook is the number of bytes of a hook that are read; scripts are far shorter.
const maxHook = 1 << 20

// Hook reads a hook that git would run, an executable file, or returns nil. Git on Windows
// does not check the executable bit.
func Hook(file string) ([]byte, error) {
	f, err := regular.Open(file)
	if Absent(err) || errors.Is(err, regular.ErrIrregular) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxHook))
}
