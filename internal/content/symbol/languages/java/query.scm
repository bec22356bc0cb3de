; Java: https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.6
(line_comment) @comment
(block_comment) @comment
(string_literal) @atom

; No caller sees the names of parameters.
(method_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @unnamed)))
(method_declaration parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @unnamed))))
(constructor_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @unnamed)))
(constructor_declaration parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @unnamed))))

(method_declaration body: (_) @body)
(constructor_declaration body: (_) @body)
(compact_constructor_declaration body: (_) @body)
(lambda_expression body: (_) @body)
(static_initializer (block) @body)
(class_body (block) @body)
(object_creation_expression (class_body) @body)
(enum_constant body: (_) @body)

(package_declaration (_) @name) @declare.package
(class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
(interface_declaration name: (_) @name body: (_) @members) @declare.interface @hidden
(annotation_type_declaration name: (_) @name body: (_) @members) @declare.annotation @hidden
(enum_declaration name: (_) @name) @declare.enum @hidden
(enum_declaration name: (_) @name body: (enum_body (enum_body_declarations) @members)) @declare.enum
(record_declaration name: (_) @name body: (_) @members) @declare.record @hidden

(method_declaration name: (_) @name) @declare.method @hidden
(constructor_declaration name: (_) @name) @declare.constructor @hidden
(compact_constructor_declaration name: (_) @name) @declare.constructor @hidden
(annotation_type_element_declaration name: (_) @name) @declare.method
(field_declaration (modifiers)? @prefix type: (_) @prefix declarator: (variable_declarator name: (_) @name) @declare.field @hidden)
(constant_declaration (modifiers)? @prefix type: (_) @prefix declarator: (variable_declarator name: (_) @name) @declare.field)

; Members of interfaces are public, and of classes what is public or protected.
(interface_body (_) @exported)
(annotation_type_body (_) @exported)
(_ (modifiers ["public" "protected"])) @exported
(field_declaration (modifiers ["public" "protected"]) (variable_declarator) @exported)
(interface_body (method_declaration (modifiers "private")) @hidden)
