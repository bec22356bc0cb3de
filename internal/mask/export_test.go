package mask

import "regexp"

// Forms returns the forms of secrets that [Excerpt] masks.
func Forms() []*regexp.Regexp {
	var forms []*regexp.Regexp
	for _, s := range shapes {
		forms = append(forms, s.form)
	}
	return forms
}
