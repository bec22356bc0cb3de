// Reads lines of JSON, [name, before, after], and writes one line for each: which of the sets of
// parts in readers_test.go are all that differs, read with TypeScript's own parser.
const ts = require(process.env.TYPESCRIPT || 'typescript')
const kinds = { js: 'JS', mjs: 'JS', cjs: 'JS', jsx: 'JSX', ts: 'TS', mts: 'TS', cts: 'TS', tsx: 'TSX' }
// The comments that a tool obeys, as docs/rules.md lists them.
const obeyed = /[#@]__[A-Z_]+__|\bwebpack[A-Z]\w*:|@vite-ignore|@turbopack|^\/\/\/\s*<|^\/\/[#@]\s*source|@jsx|@jest-environment|@vitest-environment|\bLINT\.\w/

const isString = node => node && ts.isStringLiteralLike(node)
const isRequire = node => node && ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require' &&
  !node.questionDotToken && !node.typeArguments && node.arguments.length === 1 && isString(node.arguments[0])
const isPlain = name => ts.isIdentifier(name) || name.elements.every(e => ts.isOmittedExpression(e) || !e.initializer && isPlain(e.name))

// imports reports whether a statement only binds names to what a module exports.
function imports(node) {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause, named = clause && clause.namedBindings
    return !!clause && (!!clause.name || !!named && (!named.elements || named.elements.length > 0))
  }
  if (ts.isImportEqualsDeclaration(node)) return !node.modifiers && ts.isExternalModuleReference(node.moduleReference)
  if (!ts.isVariableStatement(node) || node.modifiers || node.declarationList.declarations.length !== 1) return false
  const [d] = node.declarationList.declarations
  return isRequire(d.initializer) && !d.type && !d.exclamationToken && isPlain(d.name)
}

// read returns the leaves of the syntax tree with the nodes around them, and the comments.
function read(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind[kinds[name.split('.').pop().toLowerCase()]])
  if (file.parseDiagnostics.length) throw new Error(ts.flattenDiagnosticMessageText(file.parseDiagnostics[0].messageText, ' '))
  const items = [], comments = []
  let end = 0
  const gap = to => { // between two leaves
    if (end === 0 && text.startsWith('#!')) {
      end = text.indexOf('\n') < 0 ? text.length : text.indexOf('\n')
      comments.push({ place: 0, from: 0, to: end, kept: true })
    }
    const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text, undefined, end, to - end)
    for (let t = scanner.scan(); t !== ts.SyntaxKind.EndOfFileToken; t = scanner.scan()) {
      if (t !== ts.SyntaxKind.SingleLineCommentTrivia && t !== ts.SyntaxKind.MultiLineCommentTrivia) continue
      const [from, to] = [scanner.getTokenPos ? scanner.getTokenPos() : scanner.getTokenStart(), scanner.getTextPos ? scanner.getTextPos() : scanner.getTokenEnd()]
      comments.push({ place: items.length, from, to, kept: obeyed.test(text.slice(from, to)) })
    }
  }
  const visit = (node, isImport) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return
    isImport = isImport || node.parent === file && imports(node)
    const children = node.getChildren(file)
    const isString = ts.isTemplateExpression(node) || node.kind === ts.SyntaxKind.TemplateLiteralType // all of it counts
    if (!isString && children.length || node.kind === ts.SyntaxKind.SyntaxList || node.end === node.pos && !isString) {
      if (node.kind !== ts.SyntaxKind.SyntaxList) items.push({ shape: '<' + node.kind, isImport })
      children.forEach(c => visit(c, isImport))
      if (node.kind !== ts.SyntaxKind.SyntaxList) items.push({ shape: '>', isImport })
      return
    }
    const isText = node.kind === ts.SyntaxKind.JsxText
    const from = isText ? node.pos : node.getStart(file)
    gap(from)
    end = node.end
    if (node.kind === ts.SyntaxKind.EndOfFileToken) return
    const leaf = text.slice(from, end)
    if (!isText || /[^ \t\r\n]/.test(leaf) || !leaf.includes('\n')) items.push({ shape: leaf, isImport, from, to: end })
  }
  visit(file, false)
  return { items, comments }
}

// signature is equal for texts that differ in the parts alone.
function signature({ items, comments }, text, without) {
  const out = []
  let next = 0
  const write = place => {
    for (; next < comments.length && comments[next].place <= place; next++) {
      const { from, to, kept } = comments[next]
      if (without.comments && !kept) continue
      const alone = !text.slice(text.lastIndexOf('\n', from - 1) + 1, from).trim()
      out.push([alone, text.slice(from, to).split('\n').map(l => l.trim())])
    }
  }
  items.forEach((item, i) => {
    write(i)
    if (!without.imports || !item.isImport) out.push(item.shape)
  })
  write(items.length)
  return JSON.stringify(out)
}

// stripped returns the text without the comments that no tool obeys.
function stripped({ comments }, text) {
  let out = '', at = 0
  for (const c of comments.filter(c => !c.kept)) {
    out += text.slice(at, c.from) + (text.slice(c.from, c.to).includes('\n') ? '\n' : ' ')
    at = c.to
  }
  return out + text.slice(at)
}

// changed returns the text with another character in a token that looks most like a comment.
function changed({ items }, text) {
  const leaves = items.filter(i => i.to - i.from > 2 && !i.isImport)
  const leaf = leaves.find(i => /\/[/*]/.test(i.shape)) || leaves[leaves.length >> 1]
  return leaf ? text.slice(0, leaf.to - 1) + 'x' + text.slice(leaf.to - 1) : ''
}

require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const [name, before, after] = JSON.parse(line)
  try {
    const a = read(name, before), b = read(name, after)
    const same = [{}, { comments: true }, { comments: true, imports: true }].map(w => signature(a, before, w) === signature(b, after, w))
    console.log(JSON.stringify({ same, stripped: stripped(b, after), changed: changed(b, after) }))
  } catch (e) {
    console.log(JSON.stringify({ error: String(e.message) }))
  }
})
