; JavaScript: https://tc39.es/ecma262/#sec-exports, and the modules of Node.js.

; No caller sees the names of parameters.
(formal_parameters (identifier) @unnamed)
(formal_parameters (assignment_pattern left: (identifier) @unnamed))
(formal_parameters (rest_pattern (identifier) @unnamed))

; Formatters add and remove brackets around the one parameter of a function.
(arrow_function parameters: (formal_parameters . "(" @omit . (identifier) . ")" @omit))

; Members.
(class_body (method_definition name: (_) @name) @declare.method)
(class_body (method_definition name: (private_property_identifier) @name) @declare.method @hidden)
(class_body (field_definition property: (_) @name) @declare.field)
(class_body (field_definition property: (private_property_identifier) @name) @declare.field @hidden)

; CommonJS.
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @o property: (_) @name)) @declare.variable) (#eq? @o "exports"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (member_expression object: (identifier) @m property: (_) @e) property: (_) @name)) @declare.variable)
  (#eq? @m "module") (#eq? @e "exports"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @m property: (_) @name)) @declare.default) (#eq? @m "module") (#eq? @name "exports"))
(program (expression_statement (assignment_expression left: (member_expression object: (identifier) @m property: (_) @e)
  right: (object (shorthand_property_identifier) @local)) @export) (#eq? @m "module") (#eq? @e "exports"))
(program (expression_statement (assignment_expression left: (member_expression object: (identifier) @m property: (_) @e)
  right: (object (pair key: (_) @as value: (identifier) @local))) @export) (#eq? @m "module") (#eq? @e "exports"))
