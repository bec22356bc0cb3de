; PHP: https://www.php.net/manual/en/language.oop5.visibility.php
(comment) @comment
(string) @string
(encapsed_string) @atom
(heredoc) @atom
(nowdoc) @atom

(function_definition body: (_) @body)
(method_declaration body: (_) @body)
(anonymous_function body: (_) @body)
(arrow_function body: (_) @body)
(property_hook_list) @body
(anonymous_class (declaration_list) @body)

(namespace_definition name: (_) @name) @declare.namespace
(namespace_definition name: (_) @name body: (_) @omit) @declare.namespace
(function_definition name: (_) @name) @declare.function
(class_declaration name: (_) @name body: (_) @members) @declare.class
(interface_declaration name: (_) @name body: (_) @members) @declare.interface
(trait_declaration name: (_) @name body: (_) @members) @declare.trait
(enum_declaration name: (_) @name body: (_) @members) @declare.enum
(enum_case name: (_) @name) @declare.case
(method_declaration name: (_) @name) @declare.method
(property_declaration (visibility_modifier)? @prefix (static_modifier)? @prefix (readonly_modifier)? @prefix type: (_)? @prefix (property_element name: (_) @name) @declare.property)
(const_declaration "const" @prefix (const_element . (_) @name) @declare.constant)

(_ (visibility_modifier) @v (#eq? @v "private")) @hidden
(property_declaration (visibility_modifier) @v (property_element) @hidden (#eq? @v "private"))
(const_declaration (visibility_modifier) @v (const_element) @hidden (#eq? @v "private"))
