; C++: https://en.cppreference.com/w/cpp/language/access and storage_duration
(comment) @omit
(string_literal) @atom
(char_literal) @atom
(preproc_arg) @atom
(compound_statement) @body
(raw_string_literal) @atom
(field_initializer_list) @body
(lambda_expression body: (_) @body)

(function_definition declarator: [
    (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))) (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))]) @declare.function
(declaration declarator: [
    (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))) (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))]) @declare.function
; Variables, each with its type. The value of a constant counts.
(declaration type: (_) @prefix declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name))))] @declare.variable)
(declaration type: (_) @prefix declarator: (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name))))]) @declare.variable)
(declaration type: (_) @prefix declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))) @declare.variable)
(init_declarator value: [(initializer_list)] @omit)

(struct_specifier name: (_) @name body: (_) @members) @declare.struct
(union_specifier name: (_) @name body: (_) @members) @declare.union
(enum_specifier name: (_) @name body: (_)) @declare.enum
(type_definition declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))]) @declare.type
(type_definition declarator: [
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
    (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))))]) @declare.type
(preproc_def name: (_) @name) @declare.macro
(preproc_function_def name: (_) @name) @declare.macro

(function_definition (storage_class_specifier "static")) @hidden
(declaration (storage_class_specifier "static")) @hidden
(declaration (storage_class_specifier "static") declarator: (_) @hidden)

(class_specifier name: (_) @name body: (_) @members) @declare.class
(namespace_definition name: (_) @name body: (_) @members) @declare.namespace
(namespace_definition !name body: (_) @body)
(alias_declaration name: (_) @name) @declare.type
(concept_definition name: (_) @name) @declare.concept
(template_declaration parameters: (_) @prefix [(function_definition) @declare.function (declaration) @declare.function (class_specifier) @declare.class (struct_specifier) @declare.struct (alias_declaration) @declare.type (concept_definition) @declare.concept])

; Members.
(field_declaration_list (function_definition declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))) (reference_declarator (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))]) @declare.function)
(field_declaration_list (field_declaration declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))) (reference_declarator (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))]) @declare.function)
(field_declaration_list (declaration declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name) (identifier)] @name)))]) @declare.function)
(field_declaration type: (_) @prefix declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
    
    (array_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name)))] @declare.field)

; From here on.
(class_specifier body: (field_declaration_list "{" @hidden.after))
((access_specifier) @hidden.after (#match? @hidden.after "^private"))
((access_specifier) @exported.after (#not-match? @exported.after "^private"))
