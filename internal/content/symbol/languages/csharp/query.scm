; C#: https://learn.microsoft.com/dotnet/csharp/programming-guide/classes-and-structs/access-modifiers
(comment) @omit
(string_literal) @atom
(verbatim_string_literal) @atom
(raw_string_literal) @atom
(interpolated_string_expression) @atom
(preproc_region) @omit
(preproc_endregion) @omit
(preproc_pragma) @omit
(preproc_nullable) @omit

(block) @body
(arrow_expression_clause) @body
(lambda_expression body: (_) @body)

; A namespace is a symbol, and names in it are written without it.
(file_scoped_namespace_declaration name: (_) @name) @declare.namespace
(namespace_declaration name: (_) @name body: (_) @omit) @declare.namespace

(class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
(struct_declaration name: (_) @name body: (_) @members) @declare.struct @hidden
(interface_declaration name: (_) @name body: (_) @members) @declare.interface @hidden
(record_declaration name: (_) @name) @declare.record @hidden
(record_declaration name: (_) @name body: (_) @members) @declare.record
(enum_declaration name: (_) @name) @declare.enum @hidden
(delegate_declaration name: (_) @name) @declare.delegate @hidden

(method_declaration name: (_) @name) @declare.method @hidden
(constructor_declaration name: (_) @name) @declare.constructor @hidden
(property_declaration name: (_) @name) @declare.property @hidden
(property_declaration value: (arrow_expression_clause) @body)
(event_declaration name: (_) @name) @declare.event @hidden
(indexer_declaration "this" @name) @declare.indexer @hidden
(operator_declaration operator: _ @name) @declare.operator @hidden
(conversion_operator_declaration type: (_) @name) @declare.operator @hidden
(field_declaration (modifier)* @prefix (variable_declaration type: (_) @prefix (variable_declarator name: (_) @name) @declare.field @hidden))
(event_field_declaration (modifier)* @prefix (variable_declaration type: (_) @prefix (variable_declarator name: (_) @name) @declare.event @hidden))

(interface_declaration body: (declaration_list (_) @exported))
(_ (modifier ["public" "protected"])) @exported
(field_declaration (modifier ["public" "protected"]) (variable_declaration (variable_declarator) @exported))
(event_field_declaration (modifier ["public" "protected"]) (variable_declaration (variable_declarator) @exported))
(_ (modifier "private") (modifier "protected")) @hidden
