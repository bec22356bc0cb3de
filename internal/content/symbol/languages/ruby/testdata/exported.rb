# Prints what each file named on the standard input exports, by Ruby's own parser: one line of
# JSON for each, without "api" where Ruby finds an error.
require "json"
require "ripper"

class Reader
  attr_reader :api

  VISIBILITY = %w[private protected public].freeze

  def initialize
    @api = []
  end

  # The statements that a list has, in all branches of conditions.
  def branches(list)
    list.flat_map do |node|
      case node[0]
      when :if, :unless, :elsif then branches(node[2]) + branches([node[3]].compact)
      when :else then branches(node[1])
      when :if_mod, :unless_mod then branches([node[2]])
      else [node]
      end
    end
  end

  # Reads the statements of a class, a module or a file.
  def block(list, names)
    hidden = false
    found = []
    named = {} # of visibility
    branches(list).each do |node|
      case node[0]
      when :class
        name = constant(node[1])
        found << [name, :class, node[2] ? [source(node[2])] : [], false]
        block(node[3][1], names + [name])
      when :module
        name = constant(node[1])
        found << [name, :module, [], false]
        block(node[2][1], names + [name])
      when :sclass
        block(node[2][1], names)
      when :def
        found << [node[1][1], :method, [source(node[2])], hidden]
      when :defs
        found << [node[3][1], :method, [source(node[1]), source(node[4])], false]
      when :assign
        if node[1][0] == :var_field && node[1][1][0] == :@const
          value = node[2]
          frozen = value[0] == :call && value[3][1] == "freeze" ? value[1] : value
          table = %i[array hash].include?(frozen[0])
          found << [node[1][1][1], :constant, table ? [] : [source(value)], false]
        end
      when :vcall
        word = node[1][1]
        hidden = word != "public" if VISIBILITY.include?(word)
      when :command, :method_add_arg
        called(node, found, named, hidden)
      end
    end
    found.each { |f| f[3] = named[f[0]] if named.key?(f[0]) }
    found.each { |name, kind, rest, hide| @api << [kind, (names + [name]).join("."), *rest].join(" ") unless hide }
  end

  # private with names or a method, attributes.
  def called(node, found, named, hidden)
    call = node[0] == :command ? node[1] : node[1][1]
    return unless call.is_a?(Array) && call[0] == :@ident
    args = node[2]
    args = args[1] if args && args[0] == :arg_paren
    list = args && args[0] == :args_add_block ? args[1] : []
    case call[1]
    when "attr_reader", "attr_writer", "attr_accessor"
      list.each { |a| found << [a[1][1][1], :attribute, [call[1]], hidden] if a[0] == :symbol_literal }
    when "private", "protected", "public", "private_class_method", "private_constant"
      list.each do |a|
        if a[0] == :symbol_literal
          named[a[1][1][1]] = call[1] != "public"
        elsif a[0] == :def
          found << [a[1][1], :method, [source(a[2])], call[1] != "public"]
        elsif a[0] == :defs
          found << [a[3][1], :method, [source(a[1]), source(a[4])], call[1] == "private_class_method"]
        end
      end
    else
      list.each { |a| found << [a[1][1], :method, [source(a[2])], hidden] if a[0] == :def }
    end
  end

  def constant(node)
    case node[0]
    when :const_ref, :var_ref, :top_const_ref, :var_field then node[1][1]
    when :const_path_ref then "#{constant(node[1])}.#{node[2][1]}"
    else source(node)
    end
  end

  # What a part says, without places.
  def source(node)
    case node
    when Array
      if node[0].is_a?(Symbol) && node[0].start_with?("@")
        node[1].to_s
      else
        "(" + node.map { |n| source(n) }.join(" ") + ")"
      end
    when nil then ""
    else node.to_s
    end
  end
end

$stdin.read.split("\n").each do |file|
  line = { file: file }
  tree = Ripper.sexp(File.read(file))
  if tree
    reader = Reader.new
    reader.block(tree[1], [])
    line[:api] = reader.api.uniq.sort
  end
  puts line.to_json
end
