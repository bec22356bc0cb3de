package commands

// Unconfined says what commands of rules are not kept from on this machine; empty
// where it can confine them.
func Unconfined() (string, error) {
	g, err := confine(nil)
	if err != nil {
		return "", err
	}
	return g.notice, g.release()
}
