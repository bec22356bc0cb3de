; TypeScript: https://www.typescriptlang.org/docs/handbook/2/modules.html

; No caller sees the names of parameters, unless they are fields, too.
(required_parameter . pattern: (identifier) @unnamed)
(required_parameter . pattern: (rest_pattern (identifier) @unnamed))
(optional_parameter . pattern: (identifier) @unnamed)

(abstract_class_declaration body: (_) @members)

; What formatters add and remove: a sign before the first type of a union, and brackets around all of a type or
; around the one parameter of a function.
(union_type . "|" @omit)
(intersection_type . "&" @omit)
[
  (type_annotation (parenthesized_type "(" @omit ")" @omit))
  (tuple_type (parenthesized_type "(" @omit ")" @omit))
  (type_arguments (parenthesized_type "(" @omit ")" @omit))
  (type_alias_declaration value: (parenthesized_type "(" @omit ")" @omit))
  (parenthesized_type (parenthesized_type "(" @omit ")" @omit))
]
(conditional_type right: (parenthesized_type "(" @omit
  [(predefined_type) (type_identifier) (nested_type_identifier) (generic_type) (object_type) (array_type) (tuple_type) (index_type_query) (lookup_type) (literal_type)] ")" @omit))
(property_signature name: (string) @key)
(method_signature name: (string) @key)
(public_field_definition name: (string) @key)
(arrow_function parameters: (formal_parameters . "(" @omit . (required_parameter . (identifier) .) . ")" @omit))

; What TypeScript adds.
(program (function_signature name: (_) @name) @declare.function @hidden)
(program (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class @hidden)
(program (interface_declaration name: (_) @name body: (_) @members) @declare.interface @hidden)
(program (type_alias_declaration name: (_) @name) @declare.type @hidden)
(program (enum_declaration name: (_) @name) @declare.enum @hidden)
(program (expression_statement (internal_module name: (_) @name body: (_) @members) @declare.namespace @hidden))
(export_statement declaration: (function_signature name: (_) @name) @declare.function)
(export_statement declaration: (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class)
(export_statement declaration: (interface_declaration name: (_) @name body: (_) @members) @declare.interface)
(export_statement declaration: (type_alias_declaration name: (_) @name) @declare.type)
(export_statement declaration: (enum_declaration name: (_) @name) @declare.enum)
(export_statement declaration: (internal_module name: (_) @name body: (_) @members) @declare.namespace)
(export_statement declaration: (ambient_declaration "declare" @omit [
  (function_signature name: (_) @name) @declare.function
  (class_declaration name: (_) @name body: (_) @members) @declare.class
  (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class
  (interface_declaration name: (_) @name body: (_) @members) @declare.interface
  (type_alias_declaration name: (_) @name) @declare.type
  (enum_declaration name: (_) @name) @declare.enum
  (internal_module name: (_) @name body: (_) @members) @declare.namespace
  (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable)
  (variable_declaration "var" @prefix (variable_declarator name: (identifier) @name) @declare.variable)]))
(program (ambient_declaration "declare" @omit [
  (function_signature name: (_) @name) @declare.function @hidden
  (class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (abstract_class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (interface_declaration name: (_) @name body: (_) @members) @declare.interface @hidden
  (type_alias_declaration name: (_) @name) @declare.type @hidden
  (enum_declaration name: (_) @name) @declare.enum @hidden
  (internal_module name: (_) @name body: (_) @members) @declare.namespace @hidden
  (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable @hidden)]))
(program (ambient_declaration (module name: (_) @name)) @declare.module)
(program (ambient_declaration "global" @name (statement_block)) @declare.module)
(export_statement "default" @name declaration: (abstract_class_declaration body: (_) @members) @declare.class)
(export_statement "default" @name declaration: (interface_declaration body: (_) @members) @declare.interface)
(export_statement "default" @name declaration: (function_signature) @declare.function)
(export_statement "=" @as (identifier) @local) @export
(export_statement "=" @name) @declare.default

; In a namespace too; an ambient one exports all that it declares.
(internal_module body: (statement_block [
  (function_declaration name: (_) @name) @declare.function @hidden
  (function_signature name: (_) @name) @declare.function @hidden
  (class_declaration name: (_) @name body: (_) @members) @declare.class @hidden
  (interface_declaration name: (_) @name body: (_) @members) @declare.interface @hidden
  (type_alias_declaration name: (_) @name) @declare.type @hidden
  (type_alias_declaration name: (_) @name value: (object_type) @members) @declare.type
  (enum_declaration name: (_) @name) @declare.enum @hidden
  (lexical_declaration kind: _ @prefix (variable_declarator name: (identifier) @name) @declare.variable @hidden)
  (expression_statement (internal_module name: (_) @name body: (_) @members) @declare.namespace @hidden)]))
(ambient_declaration (internal_module body: (statement_block [(function_signature) (class_declaration) (interface_declaration) (type_alias_declaration) (enum_declaration)] @exported)))
(ambient_declaration (internal_module body: (statement_block (lexical_declaration (variable_declarator) @exported))))
(ambient_declaration (internal_module body: (statement_block (expression_statement (internal_module) @exported))))
(ambient_declaration (internal_module body: (statement_block (_ (internal_module body: (statement_block [(function_signature) (class_declaration) (interface_declaration) (type_alias_declaration) (enum_declaration)] @exported))))))
(ambient_declaration (internal_module body: (statement_block (_ (internal_module body: (statement_block (expression_statement (internal_module) @exported)))))))
(ambient_declaration (internal_module body: (statement_block (_ (internal_module body: (statement_block (lexical_declaration (variable_declarator) @exported)))))))

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
(class_body (index_signature "[" @name) @declare.index)
(interface_body (property_signature name: (_) @name) @declare.field)
(interface_body (method_signature name: (_) @name) @declare.method)
(interface_body (construct_signature "new" @name) @declare.constructor)
(interface_body (call_signature (formal_parameters "(" @name)) @declare.call)
(interface_body (index_signature "[" @name) @declare.index)

; A type that is an object has members, too.
(program (type_alias_declaration name: (_) @name value: (object_type) @members) @declare.type)
(export_statement declaration: (type_alias_declaration name: (_) @name value: (object_type) @members) @declare.type)
(program (ambient_declaration (type_alias_declaration name: (_) @name value: (object_type) @members) @declare.type))
(export_statement declaration: (ambient_declaration (type_alias_declaration name: (_) @name value: (object_type) @members) @declare.type))
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @declare.field))
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @declare.method))
(type_alias_declaration value: (object_type (construct_signature "new" @name) @declare.constructor))
(type_alias_declaration value: (object_type (call_signature (formal_parameters "(" @name)) @declare.call))
(type_alias_declaration value: (object_type (index_signature "[" @name) @declare.index))

; An ambient module is one symbol; all that it declares is exported.
(module body: (statement_block (export_statement declaration: (_) @hidden)))
(module body: (statement_block (export_statement declaration: (_ (variable_declarator) @hidden))))

; Members of what is local to an ambient module or a block are, too.
(module body: (statement_block [(interface_declaration body: (interface_body (_) @hidden)) (type_alias_declaration value: (object_type (_) @hidden))]))
(ambient_declaration (statement_block [(interface_declaration body: (interface_body (_) @hidden)) (type_alias_declaration value: (object_type (_) @hidden))]))
(program (statement_block [(interface_declaration body: (interface_body (_) @hidden)) (type_alias_declaration value: (object_type (_) @hidden))]))
