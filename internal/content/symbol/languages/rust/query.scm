; Rust: https://doc.rust-lang.org/reference/visibility-and-privacy.html
(line_comment) @comment
(block_comment) @comment
(string_literal) @atom
(raw_string_literal) @atom
(tuple_type) @tuple
(tuple_expression) @tuple
(tuple_pattern) @tuple

; No caller sees the names of parameters.
(parameters (parameter pattern: (_) @unnamed))
(parameters (parameter (mutable_specifier) @omit))

(function_item body: (_) @body)
(closure_expression body: (_) @body)

(function_item name: (_) @name) @declare.function @hidden
(struct_item name: (_) @name) @declare.struct @hidden
(struct_item name: (_) @name body: (field_declaration_list) @members) @declare.struct
(union_item name: (_) @name body: (_) @members) @declare.union @hidden
(enum_item name: (_) @name) @declare.enum @hidden
(trait_item name: (_) @name body: (_) @members) @declare.trait @hidden
(type_item name: (_) @name) @declare.type @hidden
(const_item name: (_) @name) @declare.const @hidden
(static_item name: (_) @name) @declare.static @hidden
(mod_item name: (_) @name) @declare.module @hidden
(mod_item name: (_) @name body: (_) @members) @declare.module
(use_declaration argument: (_) @name @unordered) @declare.use @hidden
(struct_item body: (field_declaration_list (field_declaration name: (_) @name) @declare.field @hidden))
(union_item body: (field_declaration_list (field_declaration name: (_) @name) @declare.field @hidden))
(associated_type name: (_) @name) @declare.type
(function_signature_item name: (_) @name) @declare.function @hidden
(macro_definition name: (_) @name) @declare.macro @hidden
(macro_definition ";" @omit)

; Methods belong to the type, whatever the block that has them.
(impl_item type: [(type_identifier) @of (generic_type type: (_) @of) (scoped_type_identifier) @of (reference_type) @of] body: (_) @members) @container
(impl_item trait: (_) @name type: [(type_identifier) @of (generic_type type: (_) @of) (scoped_type_identifier) @of (reference_type) @of] body: (_) @body) @declare.impl

; pub, and not pub(crate); what a trait has is public as the trait is.
(_ (visibility_modifier) @v (#eq? @v "pub")) @exported
(trait_item body: (declaration_list (_) @exported))
((attribute_item (attribute (identifier) @a)) . (macro_definition) @exported (#eq? @a "macro_export"))
