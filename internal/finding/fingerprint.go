package finding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
)

// Fingerprint returns 32 hexadecimal digits that identify a finding across runs:
// the same rule violated by the same files at the same path, or in the same visit
// of a session. It does not depend on line numbers, the message, the level, or
// the rule's name and text. Findings of one rule that differ only in those have
// the same fingerprint; see [Identify].
func Fingerprint(f Finding) string { return fingerprint(f, 0) }

// fingerprint returns that of the nth finding, from 0, of those that would share one.
func fingerprint(f Finding, nth int) string {
	const usual = 64 // bytes of a name with its length
	key := make([]byte, 0, usual*(2+len(f.TriggerFiles)+len(f.Expected)))
	add := func(s string) {
		key = binary.BigEndian.AppendUint64(key, uint64(len(s)))
		key = append(key, s...)
	}
	addAll := func(list []string) {
		key = binary.BigEndian.AppendUint64(key, uint64(len(list)))
		if !slices.IsSorted(list) {
			list = slices.Sorted(slices.Values(list))
		}
		for _, s := range list {
			add(s)
		}
	}
	// Each part has its length in front, so that no two findings have the same key.
	add(f.Rule)
	add(f.Path)
	addAll(f.TriggerFiles)
	addAll(f.Expected)
	if f.Session != nil {
		add(f.Session.ID)
		add(strconv.Itoa(f.Session.Visit))
	}
	if nth > 0 {
		key = binary.BigEndian.AppendUint64(key, uint64(nth))
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:16])
}

// Identify sets the fingerprints of findings, which are in the order of [Sort],
// so that no two are the same.
func Identify(findings []Finding) {
	seen := map[string]int{}
	for i := range findings {
		f := &findings[i]
		f.Fingerprint = Fingerprint(*f)
		nth := seen[f.Fingerprint]
		seen[f.Fingerprint]++
		if nth > 0 {
			f.Fingerprint = fingerprint(*f, nth)
		}
	}
}
