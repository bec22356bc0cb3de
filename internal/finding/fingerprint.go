package finding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// Fingerprint returns 32 hexadecimal digits that name a finding across runs:
// the same rule broken by the same files in the same place. Line numbers, the
// message, the level and the rule's name and text do not enter it, so moving or
// rewording keeps it. Findings of one rule that differ in those alone share it.
func Fingerprint(f Finding) string {
	var key []byte
	add := func(s string) {
		key = binary.BigEndian.AppendUint64(key, uint64(len(s)))
		key = append(key, s...)
	}
	addAll := func(list []string) {
		key = binary.BigEndian.AppendUint64(key, uint64(len(list)))
		for _, s := range slices.Sorted(slices.Values(list)) {
			add(s)
		}
	}
	// Every part carries its length, so that no two findings write the same key.
	add(f.Rule)
	add(f.Path)
	addAll(f.TriggerFiles)
	addAll(f.Expected)
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:16])
}
