package rule

// Codes of problems, in addition to those of package yaml.
const (
	CodeBadID               = "bad_id"
	codeNoFrontmatter       = "no_frontmatter"
	codeUnclosedFrontmatter = "unclosed_frontmatter"
	codeMissingMode         = "missing_mode"
	codeMultipleModes       = "multiple_modes"
	CodeMissingField        = "missing_field"
	CodeUnknownField        = "unknown_field"
	CodeWrongType           = "wrong_type"
	CodeBadValue            = "bad_value"
	CodeEmptyValue          = "empty_value"
	codeTooFew              = "too_few"
	codeInvalidPattern      = "invalid_pattern"
	codeBadCommand          = "bad_command"
	codeBadPlaceholder      = "bad_placeholder"
	codeEmptyBody           = "empty_body"
	CodeDuplicateName       = "duplicate_name"
	codeUnknownRule         = "unknown_rule"
	codeUnknownImport       = "unknown_import"
	codeToolRule            = "tool_rule"
	codeNestedMode          = "nested_mode"
)
