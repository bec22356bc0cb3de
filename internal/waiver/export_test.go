package waiver

// For tests of what is read in messages.
var (
	TrailersIn  = trailersIn
	MessageRead = func(hook, config string) bool { return readsMessage([]byte(hook), []byte(config)) }
)

// PromisesIn gives names and reasons.
func PromisesIn(text string) [][2]string {
	var list [][2]string
	for _, p := range promisesIn(text) {
		list = append(list, [2]string{p.name, p.reason})
	}
	return list
}
