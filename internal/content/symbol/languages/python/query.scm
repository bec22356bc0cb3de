; Python: https://docs.python.org/3/reference/simple_stmts.html#the-import-statement
; (what __all__ and a leading underscore mean).
(comment) @comment
(line_continuation) @omit
(tuple) @tuple
(tuple_pattern) @tuple
(subscript) @tuple
(type_parameter) @tuple
(string) @string

; Brackets around all of a value or a type are layout.
[
  (assignment right: (parenthesized_expression "(" @omit ")" @omit))
  (type (parenthesized_expression "(" @omit ")" @omit))
  (default_parameter value: (parenthesized_expression "(" @omit ")" @omit))
  (typed_default_parameter value: (parenthesized_expression "(" @omit ")" @omit))
  (keyword_argument value: (parenthesized_expression "(" @omit ")" @omit))
  (argument_list (parenthesized_expression "(" @omit ")" @omit))
  (parenthesized_expression (parenthesized_expression "(" @omit ")" @omit))
  (assignment left: (tuple_pattern . "(" @omit . (identifier) . ")" @omit .))
]

(function_definition name: (identifier) @name body: (block) @body.commented) @declare.function
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

; __all__, where it is made of literal lists, also in an if.
((assignment left: (identifier) @a right: [(list) (tuple) (expression_list)] @list) (#eq? @a "__all__"))
((augmented_assignment left: (identifier) @a right: [(list) (tuple) (expression_list)] @list) (#eq? @a "__all__"))
((assignment left: (identifier) @a right: [(list (string) @listed) (tuple (string) @listed) (expression_list (string) @listed)]) (#eq? @a "__all__"))
((augmented_assignment left: (identifier) @a right: [(list (string) @listed) (tuple (string) @listed) (expression_list (string) @listed)]) (#eq? @a "__all__"))
((assignment left: (identifier) @a right: [(list [(list_splat) (identifier) (attribute) (call) (concatenated_string)] @unlisted)
  (tuple [(list_splat) (identifier) (attribute) (call) (concatenated_string)] @unlisted)]) (#eq? @a "__all__"))
((augmented_assignment left: (identifier) @a right: [(list [(list_splat) (identifier) (attribute) (call) (concatenated_string)] @unlisted)
  (tuple [(list_splat) (identifier) (attribute) (call) (concatenated_string)] @unlisted)]) (#eq? @a "__all__"))
((assignment left: (identifier) @a right: [(identifier) (attribute) (call) (subscript) (binary_operator) (conditional_expression) (parenthesized_expression)
  (list_comprehension) (generator_expression) (string) (dictionary) (set) (boolean_operator) (assignment)] @unlisted) (#eq? @a "__all__"))
((augmented_assignment left: (identifier) @a right: [(identifier) (attribute) (call) (subscript) (binary_operator) (conditional_expression) (parenthesized_expression)
  (list_comprehension) (generator_expression) (string) (dictionary) (set) (boolean_operator)] @unlisted) (#eq? @a "__all__"))
((assignment left: (identifier) @a type: (_) @unlisted) (#eq? @a "__all__"))
((call function: (attribute object: (identifier) @a)) @unlisted (#eq? @a "__all__"))
