; What JavaScript and TypeScript have in common; the query of each follows it.
(comment) @comment
(string) @string
(method_definition name: (string) @key)
(pair key: (string) @key)
(template_string) @atom
(regex) @atom

; No caller sees the names of parameters.
(arrow_function parameter: (identifier) @unnamed)

; Bodies.
(function_declaration body: (_) @body)
(generator_function_declaration body: (_) @body)
(function_expression body: (_) @body)
(generator_function body: (_) @body)
(arrow_function body: (_) @body)
(method_definition body: (_) @body)
(class_static_block body: (_) @body)
(class_declaration body: (_) @members)
(class body: (_) @body)
(program (expression_statement (call_expression) @body))

; At the top of a file nothing is exported without "export".
(program (function_declaration name: (_) @name) @declare.function @hidden)
(program (generator_function_declaration name: (_) @name) @declare.function @hidden)
(program (class_declaration name: (_) @name body: (_) @members) @declare.class @hidden)
(program (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable @hidden))
(program (variable_declaration "var" @prefix (variable_declarator name: (identifier) @name) @declare.variable @hidden))

(export_statement !source "export" @omit)
(export_statement "default" @omit declaration: (_))
(export_statement declaration: (function_declaration name: (_) @name) @declare.function)
(export_statement declaration: (generator_function_declaration name: (_) @name) @declare.function)
(export_statement declaration: (class_declaration name: (_) @name body: (_) @members) @declare.class)
(export_statement declaration: (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable))
(export_statement declaration: (variable_declaration "var" @prefix (variable_declarator name: (identifier) @name) @declare.variable))
(export_statement declaration: (_ (variable_declarator name: [
  (object_pattern (shorthand_property_identifier_pattern) @name @declare.variable)
  (object_pattern (pair_pattern value: (identifier) @name @declare.variable))
  (object_pattern (object_assignment_pattern left: (_) @name @declare.variable))
  (object_pattern (rest_pattern (identifier) @name @declare.variable))
  (array_pattern (identifier) @name @declare.variable)])))
(export_statement "default" @name declaration: (function_declaration) @declare.function)
(export_statement "default" @name declaration: (generator_function_declaration) @declare.function)
(export_statement "default" @name declaration: (class_declaration body: (_) @members) @declare.class)
(export_statement "default" @name value: (_)) @declare.default
(export_statement "default" @as value: (identifier) @local) @export
(export_statement "default" @name value: (class body: (_) @members)) @declare.class

; Names that are exported elsewhere than where they are declared.
(import_statement (import_clause (named_imports (import_specifier !alias name: (_) @name) @declare.import)))
(import_statement (import_clause (named_imports (import_specifier alias: (_) @name) @declare.import)))
(import_statement (import_clause (identifier) @name @declare.import))
(import_statement (import_clause (namespace_import (identifier) @name) @declare.import))
(import_statement source: (_) @source) @import
(export_statement (export_clause (export_specifier name: (_) @local !alias))) @export
(export_statement (export_clause (export_specifier name: (_) @local alias: (_) @as))) @export
(export_statement (export_clause) source: (_) @source) @export
(export_statement "*" @as source: (_) @source) @export
(export_statement (namespace_export (_) @as) source: (_) @source) @export
