package diff

// emptyTrees holds the id of the tree without entries by object format. Git knows both
// without storing them.
var emptyTrees = map[string]string{
	"sha1":   "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

// EmptyTree returns the id of the tree without entries in an object format, sha1 or sha256.
func EmptyTree(format string) string { return emptyTrees[format] }

// EmptyTreeFor returns the id of the tree without entries in the object format that id
// belongs to, or "" if id is not an object id.
func EmptyTreeFor(id string) string {
	for _, tree := range emptyTrees {
		if len(tree) == len(id) {
			return tree
		}
	}
	return ""
}

// emptyBlobs holds the id of the empty file by object format.
var emptyBlobs = map[string]string{
	"sha1":   "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
	"sha256": "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}

// IsEmptyBlob reports whether id is that of an empty file.
func IsEmptyBlob(id string) bool {
	return id == emptyBlobs["sha1"] || id == emptyBlobs["sha256"]
}
