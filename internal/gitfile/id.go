package gitfile

import "encoding/hex"

// ID is the id of an object in a repository with SHA-1.
type ID [20]byte

// String formats the id as git prints it.
func (i ID) String() string { return hex.EncodeToString(i[:]) }

// IsID reports whether s is a complete id. Capital letters are allowed, as in git.
func IsID(s string) bool {
	if len(s) != hex.EncodedLen(len(ID{})) {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

// ParseID parses an id. From any other text it takes the leading digits, which makes an id
// that no object has.
func ParseID(s string) (i ID) {
	digits, _ := hex.DecodeString(s)
	copy(i[:], digits)
	return i
}

// The types of objects.
const (
	TypeCommit = "commit"
	TypeTree   = "tree"
	TypeBlob   = "blob"
	TypeTag    = "tag"
)
