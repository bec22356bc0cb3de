package diff

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// writeIndex writes an index of version 2, as gitformat-index(5) has it: entries
// that are assumed to be as their objects, so that nobody asks for the times and
// sizes that they lack.
func writeIndex(file, format string, list []entry) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	b := []byte("DIRC\x00\x00\x00\x02")
	b = binary.BigEndian.AppendUint32(b, uint32(len(list))) //nolint:gosec // not that many changes
	for _, e := range list {
		mode, err := strconv.ParseUint(e.mode, 8, 32)
		if err != nil {
			return fmt.Errorf("mode of %q: %w", e.path, err)
		}
		object, err := hex.DecodeString(e.object)
		if err != nil {
			return fmt.Errorf("object of %q: %w", e.path, err)
		}
		begin := len(b)
		b = append(b, make([]byte, 24)...) // times, device, inode
		b = binary.BigEndian.AppendUint32(b, uint32(mode))
		b = append(b, make([]byte, 12)...) // owner, size
		b = append(b, object...)
		b = binary.BigEndian.AppendUint16(b, flagAssumed|uint16(min(len(e.path), flagLength)))
		b = append(b, e.path...)
		b = append(b, make([]byte, 8-(len(b)-begin)%8)...) // at least one, to a multiple of eight
	}
	sum := git.NewHash(format)
	sum.Write(b)
	return os.WriteFile(file, sum.Sum(b), 0o600)
}
