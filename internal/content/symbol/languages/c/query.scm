; C: what is not static has external linkage; the macros and types of headers are used by others.
; https://en.cppreference.com/w/c/language/storage_duration
(comment) @omit
(string_literal) @atom
(char_literal) @atom
(preproc_arg) @atom
(compound_statement) @body

(function_definition declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))]) @declare.function
(declaration declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))]) @declare.function
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

(struct_specifier name: (_) @name body: (_)) @declare.struct
(union_specifier name: (_) @name body: (_)) @declare.union
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
