// Prints what each file named on the standard input exports, as TypeScript's own parser reads
// it: one line of JSON for each, without "api" where it finds an error.
const ts = require("typescript");
const fs = require("fs");

const has = (n, kind) => (ts.canHaveModifiers(n) && ts.getModifiers(n) || []).some((m) => m.kind === kind);
const K = ts.SyntaxKind;

// tokens lists the tokens of a node without comments, bodies and what skip returns true for.
function tokens(source, node, skip, out = []) {
  if (!node || skip(node)) return out;
  const children = node.getChildren(source).filter((c) => c.kind < K.FirstJSDocNode || c.kind > K.LastJSDocNode);
  if (node.kind === K.SyntaxList) {
    const list = [...children];
    const last = list.at(-1);
    if (last && last.kind === K.CommaToken && (list.length < 2 || node.parent.kind !== K.ArrayLiteralExpression || list.at(-2).kind !== K.OmittedExpression)) list.pop();
    for (const c of list) tokens(source, c, skip, out);
  } else if (!children.length) {
    let text = node.getText(source);
    if (node.kind === K.StringLiteral && text[0] === "'" && !/["\\]/.test(text)) text = `"${text.slice(1, -1)}"`;
    if (text) out.push(text);
  } else if (node.kind === K.TemplateExpression) {
    out.push(node.getText(source));
  } else {
    for (const c of children) tokens(source, c, skip, out);
  }
  return out;
}

function exported(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  if (source.parseDiagnostics.length) return undefined;
  const api = new Set();
  const local = new Map(); // names of the file to what declares them
  const overloads = new Map();
  const add = (kind, name, list) => {
    const key = `${kind} ${name}`;
    const text = list.filter((t) => t !== ";").join(" ");
    if (!/Function|Method|Constructor|CallSig/.test(kind)) api.add(`${key} ${text}`);
    else overloads.set(key, (overloads.get(key) || new Set()).add(text));
  };

  const body = (n) => n.parent && n.parent.body === n && n.kind !== K.ModuleBlock;
  const unnamed = (n) => n.kind === K.Identifier && n.parent.kind === K.Parameter && n.parent.name === n &&
    !(ts.getModifiers(n.parent) || []).length && n.text !== "this";
  const cut = (n) => body(n) || n.kind === K.SemicolonToken || n.kind === K.CommaToken && ts.isTypeElement(n.parent) || n.kind === K.ExportKeyword || n.kind === K.DeclareKeyword ||
    n.kind === K.ClassStaticBlockDeclaration || unnamed(n);

  function declare(node, name, prefix, ambient) {
    const literal = ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type) ? node.type : undefined;
    const members = literal || ts.isClassLike(node) || ts.isInterfaceDeclaration(node) ? (literal || node).members : [];
    const member = (m) => members.includes(m);
    add(ts.SyntaxKind[node.kind], prefix + name, tokens(source, node, (n) => n !== node && (cut(n) || member(n) || ts.isModuleBlock(n) || ts.isDefaultKeyword?.(n) || n.kind === K.DefaultKeyword)));
    for (const m of members) {
      if (has(m, K.PrivateKeyword) || m.kind === K.ClassStaticBlockDeclaration || m.kind === K.SemicolonClassElement || m.name && m.name.kind === K.PrivateIdentifier) continue;
      add(ts.SyntaxKind[m.kind], prefix + name + "." + (m.name ? m.name.getText(source) : ""), tokens(source, m, cut));
    }
    if (ts.isModuleDeclaration(node)) block(node.body, prefix + name + ".", ambient || has(node, K.DeclareKeyword));
  }

  function statement(s, prefix, ambient, use) {
    if (ts.isVariableStatement(s)) {
      for (const d of s.declarationList.declarations) {
        const kind = s.declarationList.flags & ts.NodeFlags.Const ? "const" : s.declarationList.flags & ts.NodeFlags.Let ? "let" : "var";
        const names = [];
        (function each(n) { ts.isIdentifier(n) ? names.push(n.text) : n.elements.forEach((e) => e.name && each(e.name)); })(d.name);
        for (const n of names) use(n, () => add("variable", prefix + n, [kind, ...tokens(source, d, cut)]));
      }
    } else if (s.name) {
      use(s.name.getText(source), () => declare(s, has(s, K.DefaultKeyword) ? "default" : s.name.getText(source), prefix, ambient));
    } else if (ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s)) {
      use("default", () => declare(s, "default", prefix));
    }
  }

  function block(b, prefix, ambient) {
    if (!b) return;
    if (ts.isModuleDeclaration(b)) return declare(b, b.name.getText(source), prefix, ambient);
    const all = ambient && !b.statements.some((s) => ts.isExportDeclaration(s) || ts.isExportAssignment(s));
    for (const s of b.statements) {
      if (ts.isExportDeclaration(s) && s.moduleSpecifier) throw new Error("export from a module in a namespace");
      if (ts.isExportDeclaration(s) && s.exportClause) for (const e of s.exportClause.elements) add("name", prefix + e.name.text, []);
      else if (all || has(s, K.ExportKeyword)) statement(s, prefix, ambient, (_, f) => f());
    }
  }

  for (const s of source.statements) {
    if (ts.isImportDeclaration(s) && s.importClause) {
      const from = s.moduleSpecifier.text;
      const bind = (name, what) => local.set(name, [() => add("import", name, [what, from])]);
      if (s.importClause.name) bind(s.importClause.name.text, "default");
      const named = s.importClause.namedBindings;
      if (named && ts.isNamespaceImport(named)) bind(named.name.text, "*");
      if (named && ts.isNamedImports(named)) for (const e of named.elements) bind(e.name.text, (e.propertyName || e.name).text);
    }
    if (ts.isExportDeclaration(s) || ts.isExportAssignment(s) || ts.isImportDeclaration(s)) continue;
    if (ts.isModuleDeclaration(s) && !has(s, K.ExportKeyword)) {
      if (s.name.kind === K.StringLiteral || s.flags & ts.NodeFlags.GlobalAugmentation) add("module", s.name.getText(source), tokens(source, s, cut));
    }
    const out = has(s, K.ExportKeyword);
    statement(s, "", false, (name, f) => {
      if (!local.has(name)) local.set(name, []);
      local.get(name).push(f);
      if (out) f();
    });
  }
  for (const s of source.statements) {
    if (ts.isExportAssignment(s)) {
      add("default", s.isExportEquals ? "=" : "default", tokens(source, s.expression, cut));
      if (ts.isIdentifier(s.expression)) (local.get(s.expression.text) || []).forEach((f) => f());
    }
    if (!ts.isExportDeclaration(s)) continue;
    const from = s.moduleSpecifier ? s.moduleSpecifier.text : "";
    if (!s.exportClause) add("all", "*", [from]);
    else if (ts.isNamespaceExport(s.exportClause)) add("all", s.exportClause.name.text, [from]);
    else for (const e of s.exportClause.elements) {
      const name = (e.propertyName || e.name).text;
      add("name", e.name.text, [name, from]);
      if (!from) (local.get(name) || []).forEach((f) => f());
    }
  }
  for (const [key, texts] of overloads) api.add(`${key} ${[...texts].join(" / ")}`);
  return [...api].sort();
}

for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let api;
  try { api = exported(file, fs.readFileSync(file, "utf8")); } catch (e) { process.stderr.write(`${file}: ${e.stack}\n`); }
  console.log(JSON.stringify({ file, api }));
}
