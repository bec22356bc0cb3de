package policy

// LibraryReads is the variable that each function of the library reads.
var LibraryReads = libraryReads
