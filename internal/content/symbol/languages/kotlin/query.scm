; Kotlin: https://kotlinlang.org/docs/visibility-modifiers.html
(line_comment) @omit
(block_comment) @omit
(string_literal) @atom
(multiline_string_literal) @atom

(function_body) @body
(anonymous_initializer) @body
(lambda_literal) @body
(getter) @body
(setter) @body
(property_delegate) @body

(package_header (_) @name) @declare.package
(class_declaration name: (_) @name) @declare.class
(class_declaration name: (_) @name (class_body) @members) @declare.class
(class_declaration name: (_) @name (enum_class_body) @members) @declare.class
(enum_entry . (identifier) @name) @declare.entry
(enum_entry (class_body) @body)
(object_declaration name: (_) @name) @declare.object
(object_declaration name: (_) @name (class_body) @members) @declare.object
(companion_object (class_body) @omit)
(object_literal (class_body) @body)
(function_declaration name: (_) @name) @declare.function
(secondary_constructor "constructor" @name (block)? @body) @declare.constructor
(property_declaration (variable_declaration . (identifier) @name)) @declare.property
(type_alias type: (_) @name) @declare.type

(_ (modifiers (visibility_modifier ["private" "internal"]))) @hidden
