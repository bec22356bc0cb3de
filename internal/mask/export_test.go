package mask

import "regexp"

// Forms returns the forms of secrets that [Excerpt] masks.
func Forms() []*regexp.Regexp {
	var forms []*regexp.Regexp
	for _, s := range shapes {
		forms = append(forms, s.form())
	}
	return forms
}

// Prefixes returns the prefixes of the secrets of each issuer, and how many characters
// follow at least.
func Prefixes() map[string]int {
	all := map[string]int{}
	for _, i := range issuers {
		for _, prefix := range i.prefixes {
			all[prefix] = i.rest
		}
	}
	return all
}
