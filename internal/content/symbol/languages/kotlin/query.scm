; Kotlin: https://kotlinlang.org/docs/visibility-modifiers.html
(line_comment) @comment
(block_comment) @comment
(string_literal) @atom
(multiline_string_literal) @atom

(function_declaration (function_body) @body)
(secondary_constructor (block) @body)
(constructor_delegation_call) @body
(anonymous_initializer) @body
(getter) @body
(setter (function_body) @body)
(lambda_literal) @body
(anonymous_function (function_body) @body)
(object_literal (class_body) @body)
(enum_entry (class_body) @body)
(delegation_specifier (constructor_invocation (value_arguments) @body))
(secondary_constructor ":" @omit)
(explicit_delegation "by" @omit (_) @body .)
; What no caller sees: a setter as visible as its property, the value of a property with a type, and words that change nothing.
(setter) @body.commented
(setter (modifiers (visibility_modifier))) @kept
(property_declaration (variable_declaration ":") "=" @omit (_) @body.commented)
(property_declaration (modifiers (property_modifier)) "=" @kept (_) @kept)
((visibility_modifier) @omit (#eq? @omit "public"))
((function_modifier) @omit (#eq? @omit "tailrec" "external"))

(package_header (_) @name) @declare.package
(class_declaration name: (_) @name) @declare.class
(class_declaration "interface" name: (_) @name) @declare.interface
(class_declaration name: (_) @name (class_body) @members) @declare.class
(class_declaration "interface" name: (_) @name (class_body) @members) @declare.interface
(class_declaration name: (_) @name (enum_class_body) @members) @declare.enum
(object_declaration name: (_) @name) @declare.object
(object_declaration name: (_) @name (class_body) @members) @declare.object
(companion_object "companion" @name) @declare.object
(companion_object name: (_) @name) @declare.object
(companion_object (class_body) @members) @declare.object
(enum_entry (identifier) @name) @declare.entry
(function_declaration name: (_) @name) @declare.function
(secondary_constructor "constructor" @name) @declare.constructor
(property_declaration (variable_declaration (identifier) @name)) @declare.property
(type_alias type: (_) @name) @declare.type

(_ (modifiers (visibility_modifier) @v) (#eq? @v "private" "internal")) @hidden

; Only scripts have expressions outside of declarations; here, they are modifiers that the grammar does not know.
(source_file (expression) @refused)
