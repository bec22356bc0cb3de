package finding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
)

// Fingerprint returns 32 hexadecimal digits that name a finding across runs:
// the same rule broken by the same files in the same place, or in the same visit
// of a session. Line numbers, the
// message, the level and the rule's name and text do not enter it, so moving or
// rewording keeps it. Findings of one rule that differ in those alone share it;
// see [Identify].
func Fingerprint(f Finding) string { return fingerprint(f, 0) }

// fingerprint is that of the nth of findings, from 0, that would share one.
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
	// Every part carries its length, so that no two findings write the same key.
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

// Identify gives findings, which are in the order of [Sort], their fingerprints,
// each its own.
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
