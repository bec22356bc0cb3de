; TypeScript: https://www.typescriptlang.org/docs/handbook/2/modules.html
(comment) @comment
(string) @string
(template_string) @atom
(regex) @atom

; No caller sees the names of parameters, unless they are fields, too.
(required_parameter . pattern: (identifier) @unnamed)
(required_parameter . pattern: (rest_pattern (identifier) @unnamed))
(optional_parameter . pattern: (identifier) @unnamed)
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
(abstract_class_declaration body: (_) @members)
(class body: (_) @body)

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
(export_statement "default" @name value: (class body: (_) @members)) @declare.class

; Names that are exported elsewhere than where they are declared.
(import_statement (import_clause (named_imports (import_specifier !alias name: (_) @name) @declare.import)) source: (_) @prefix)
(import_statement (import_clause (named_imports (import_specifier alias: (_) @name) @declare.import)) source: (_) @prefix)
(import_statement (import_clause (identifier) @name @declare.import) source: (_) @prefix)
(import_statement (import_clause (namespace_import (identifier) @name) @declare.import) source: (_) @prefix)
(export_statement !source (export_clause (export_specifier name: (_) @local !alias))) @export
(export_statement !source (export_clause (export_specifier name: (_) @local alias: (_) @as))) @export
(export_statement (export_clause (export_specifier name: (_) @local !alias)) source: (_) @source) @export
(export_statement (export_clause (export_specifier name: (_) @local alias: (_) @as)) source: (_) @source) @export
(export_statement "*" @as source: (_) @source) @export
(export_statement (namespace_export (_) @as) source: (_) @source) @export

; What TypeScript adds.
(program (function_signature name: (_) @name) @declare.function @hidden)
(program (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class @hidden)
(program (interface_declaration name: (_) @name) @declare.interface @hidden)
(program (type_alias_declaration name: (_) @name) @declare.type @hidden)
(program (enum_declaration name: (_) @name) @declare.enum @hidden)
(program (expression_statement (internal_module name: (_) @name body: (_) @members) @declare.namespace @hidden))
(export_statement declaration: (function_signature name: (_) @name) @declare.function)
(export_statement declaration: (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class)
(export_statement declaration: (interface_declaration name: (_) @name) @declare.interface)
(export_statement declaration: (type_alias_declaration name: (_) @name) @declare.type)
(export_statement declaration: (enum_declaration name: (_) @name) @declare.enum)
(export_statement declaration: (internal_module name: (_) @name body: (_) @members) @declare.namespace)
(export_statement declaration: (ambient_declaration "declare" @omit [
  (function_signature name: (_) @name) @declare.function
  (class_declaration name: (_) @name body: (_) @members) @declare.class
  (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class
  (interface_declaration name: (_) @name) @declare.interface
  (type_alias_declaration name: (_) @name) @declare.type
  (enum_declaration name: (_) @name) @declare.enum
  (internal_module name: (_) @name body: (_) @members) @declare.namespace
  (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable)
  (variable_declaration "var" @prefix (variable_declarator name: (identifier) @name) @declare.variable)]))
(program (ambient_declaration "declare" @omit [
  (function_signature name: (_) @name) @declare.function @hidden
  (class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (interface_declaration name: (_) @name) @declare.interface @hidden
  (type_alias_declaration name: (_) @name) @declare.type @hidden
  (enum_declaration name: (_) @name) @declare.enum @hidden
  (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable @hidden)]))
(program (ambient_declaration (module name: (_) @name)) @declare.module)
(program (ambient_declaration "global" @name (statement_block)) @declare.module)
(export_statement "default" @name declaration: (abstract_class_declaration body: (_) @members) @declare.class)
(export_statement "default" @name declaration: (interface_declaration) @declare.interface)
(export_statement "default" @name declaration: (function_signature) @declare.function)
(export_statement "=" @as (identifier) @local) @export
(export_statement "=" @name) @declare.default

; In a namespace too.
(internal_module body: (statement_block [
  (function_declaration name: (_) @name) @declare.function @hidden
  (class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (interface_declaration name: (_) @name) @declare.interface @hidden
  (type_alias_declaration name: (_) @name) @declare.type @hidden
  (enum_declaration name: (_) @name) @declare.enum @hidden]))

; Members. The separators of members of types are layout.
(interface_body [";" ","] @omit)
(object_type [";" ","] @omit)
(class_body (method_definition name: (_) @name) @declare.method)
(class_body (method_signature name: (_) @name) @declare.method)
(class_body (abstract_method_signature name: (_) @name) @declare.method)
(class_body (public_field_definition name: (_) @name) @declare.field)
(class_body (method_definition (accessibility_modifier) @a) @hidden (#eq? @a "private"))
(class_body (method_signature (accessibility_modifier) @a) @hidden (#eq? @a "private"))
(class_body (public_field_definition (accessibility_modifier) @a) @hidden (#eq? @a "private"))
(class_body (method_definition name: (private_property_identifier)) @hidden)
(class_body (public_field_definition name: (private_property_identifier)) @hidden)
(class_body (decorator) @prefix . (method_definition) @declare.method)
(class_body (index_signature) @name @declare.index)
