; Ruby: https://docs.ruby-lang.org/en/3.3/syntax/modules_and_classes_rdoc.html#label-Visibility
(comment) @comment
(string) @string
(regex) @atom

(method ";" @omit)
(singleton_method ";" @omit)
(method body: (_) @body)
(singleton_method body: (_) @body)
(block) @body
(do_block) @body
(lambda body: (_) @body)

(class name: (_) @name) @declare.class
(class name: (_) @name body: (_) @members) @declare.class
(module name: (_) @name) @declare.module
(module name: (_) @name body: (_) @members) @declare.module
(singleton_class body: (_) @members) @container
(method name: (_) @name) @declare.method
(singleton_method name: (_) @name) @declare.method
(alias name: (_) @name) @declare.method
(assignment left: (constant) @name) @declare.constant
(assignment left: (constant) @name right: [(array) (hash) (string_array) (symbol_array)] @omit) @declare.constant
(assignment left: (constant) @name right: (call receiver: [(array) (hash) (string_array) (symbol_array)] method: (identifier) @freeze) @omit (#eq? @freeze "freeze")) @declare.constant
(call method: (identifier) @prefix arguments: (argument_list (simple_symbol) @name @declare.attribute)
  (#match? @prefix "^(attr_reader|attr_writer|attr_accessor)$"))

; "private" alone says nothing about methods of the object itself, classes and constants.
[(singleton_method) (singleton_class) (class) (module) (assignment left: (constant))] @exported

; private and public, alone, with names, or before a method.
([(body_statement (identifier) @hidden.after) (program (identifier) @hidden.after)] (#match? @hidden.after "^(private|protected)$"))
([(body_statement (identifier) @exported.after) (program (identifier) @exported.after)] (#eq? @exported.after "public"))
(call method: (identifier) @m arguments: (argument_list [(simple_symbol) (string)] @hidden.name) (#match? @m "^(private|private_class_method|private_constant|protected)$"))
(call method: (identifier) @m arguments: (argument_list [(simple_symbol) (string)] @exported.name) (#eq? @m "public"))
(call method: (identifier) @m arguments: (argument_list (method) @hidden) (#match? @m "^(private|protected)$"))
(call method: (identifier) @m arguments: (argument_list (singleton_method) @hidden) (#eq? @m "private_class_method"))
