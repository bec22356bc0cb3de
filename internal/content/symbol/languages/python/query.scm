; Python: https://docs.python.org/3/reference/simple_stmts.html#the-import-statement
; (what __all__ and a leading underscore mean).
(comment) @omit
(line_continuation) @omit
(string) @string

(function_definition name: (identifier) @name body: (block) @body) @declare.function
(class_definition name: (identifier) @name body: (block) @members) @declare.class
(lambda body: (_) @body)

; Decorators are part of what they decorate.
(decorated_definition (decorator) @prefix definition: (function_definition name: (identifier) @name) @declare.function)
(decorated_definition (decorator) @prefix definition: (class_definition name: (identifier) @name) @declare.class)

; Variables, with their values. Tables are data.
(expression_statement (assignment left: (identifier) @name) @declare.variable)
(expression_statement (assignment left: (identifier) @name
  right: [(dictionary) (list) (set) (dictionary_comprehension) (list_comprehension) (set_comprehension)] @omit) @declare.variable)
(expression_statement (assignment left: [(pattern_list (identifier) @name @declare.variable) (tuple_pattern (identifier) @name @declare.variable)]))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @declare.type

; Names that imports bind count only where __all__ has them.
(import_from_statement module_name: (_) @prefix name: (dotted_name) @name @declare.import)
(import_from_statement module_name: (_) @prefix name: (aliased_import alias: (identifier) @name) @declare.import)
(import_statement name: (dotted_name) @name @declare.import)
(import_statement name: (aliased_import alias: (identifier) @name) @declare.import)

; __all__, where it is a literal list at the top of the file.
(module (expression_statement (assignment left: (identifier) @a right: [(list (string) @listed) (tuple (string) @listed) (expression_list (string) @listed)]))
  (#eq? @a "__all__"))
(module (expression_statement (augmented_assignment left: (identifier) @a right: [(list (string) @listed) (tuple (string) @listed) (expression_list (string) @listed)]))
  (#eq? @a "__all__"))
(module (expression_statement (assignment left: (identifier) @a right: (_) @unlisted))
  (#eq? @a "__all__") (#not-match? @unlisted "^[\\[('\"]"))
(module (expression_statement (assignment left: (identifier) @a right: [(list (list_splat) @unlisted) (list (identifier) @unlisted) (list_comprehension) @unlisted]))
  (#eq? @a "__all__"))
(module (expression_statement (augmented_assignment left: (identifier) @a right: (_) @unlisted))
  (#eq? @a "__all__") (#not-match? @unlisted "^[\\[('\"]"))
(module (_ (block (expression_statement (assignment left: (identifier) @a) @unlisted))) (#eq? @a "__all__"))
(call function: (attribute object: (identifier) @a) @unlisted (#eq? @a "__all__"))
