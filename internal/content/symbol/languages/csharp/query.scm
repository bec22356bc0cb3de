; C#: https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/language-specification/basic-concepts#75-member-access
(comment) @comment
(string_literal) @atom
(verbatim_string_literal) @atom
(raw_string_literal) @atom
(interpolated_string_expression) @atom

(method_declaration body: (_) @body)
(constructor_declaration body: (_) @body)
(constructor_initializer) @body
(operator_declaration body: (_) @body)
(conversion_operator_declaration body: (_) @body)
(destructor_declaration) @body
(accessor_declaration body: (_) @body)
(accessor_declaration ";" @omit)
(indexer_declaration value: (_) @body)
(property_declaration value: (_) @body)
(property_declaration "=" @omit)
(event_declaration accessors: (_) @body)
(base_list (argument_list) @body)
(primary_constructor_base_type (argument_list) @body)
(global_statement) @body
; What no caller sees: a property that can only be read, however it is written, and words about bodies.
(property_declaration accessors: (accessor_list) @body.commented)
(property_declaration accessors: (accessor_list (accessor_declaration ["set" "init"])) @kept)
((modifier) @omit (#eq? @omit "async" "partial" "extern" "unsafe"))
; The value of a field that is no constant.
(field_declaration (variable_declaration (variable_declarator "=" @omit (_) @body.commented)))
(field_declaration (modifier) @m (variable_declaration (variable_declarator "=" @kept (_) @kept)) (#eq? @m "const"))

(namespace_declaration name: (_) @name body: (_) @omit) @declare.namespace
(file_scoped_namespace_declaration name: (_) @name) @declare.namespace
(class_declaration name: (_) @name) @declare.class @hidden
(class_declaration name: (_) @name body: (_) @members) @declare.class
(struct_declaration name: (_) @name) @declare.struct @hidden
(struct_declaration name: (_) @name body: (_) @members) @declare.struct
(record_declaration name: (_) @name) @declare.record @hidden
(record_declaration name: (_) @name body: (_) @members) @declare.record
(interface_declaration name: (_) @name) @declare.interface @hidden
(interface_declaration name: (_) @name body: (_) @members) @declare.interface
(enum_declaration name: (_) @name) @declare.enum @hidden
(delegate_declaration name: (_) @name) @declare.delegate @hidden

(method_declaration name: (_) @name) @declare.method @hidden
(constructor_declaration name: (_) @name) @declare.constructor @hidden
(operator_declaration operator: _ @name) @declare.operator @hidden
(conversion_operator_declaration type: (_) @name) @declare.conversion @hidden
(indexer_declaration "this" @name) @declare.indexer @hidden
(property_declaration name: (_) @name) @declare.property @hidden
(event_declaration name: (_) @name) @declare.event @hidden
(event_field_declaration (attribute_list)* @prefix (modifier)* @prefix "event" @prefix (variable_declaration type: (_) @prefix (variable_declarator name: (_) @name) @declare.event @hidden))
(field_declaration (attribute_list)* @prefix (modifier)* @prefix (variable_declaration type: (_) @prefix (variable_declarator name: (_) @name) @declare.field @hidden))

; Members of interfaces are public, and others what is public or protected.
(interface_declaration body: (declaration_list (_) @exported))
(interface_declaration body: (declaration_list (_ (modifier) @m) @hidden) (#eq? @m "private" "internal"))
(_ (modifier) @m (#eq? @m "public" "protected")) @exported
(field_declaration (modifier) @m (variable_declaration (variable_declarator) @exported) (#eq? @m "public" "protected"))
(event_field_declaration (modifier) @m (variable_declaration (variable_declarator) @exported) (#eq? @m "public" "protected"))
(interface_declaration body: (declaration_list (event_field_declaration (variable_declaration (variable_declarator) @exported))))
(_ (modifier) @m (modifier) @n (#eq? @m "private") (#eq? @n "protected")) @hidden
(_ (modifier) @m (modifier) @n (#eq? @m "protected") (#eq? @n "private")) @hidden
(field_declaration (modifier) @m (modifier) @n (variable_declaration (variable_declarator) @hidden) (#eq? @m "private") (#eq? @n "protected"))
(field_declaration (modifier) @m (modifier) @n (variable_declaration (variable_declarator) @hidden) (#eq? @m "protected") (#eq? @n "private"))
