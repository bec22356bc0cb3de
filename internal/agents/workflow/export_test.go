package workflow

// ExpressionKeys lists the keys in the places of expressions.
func ExpressionKeys() (keys []string) {
	for _, place := range expressionPlaces() {
		keys = append(keys, place.keys...)
	}
	return keys
}
