// Finds exports that no other file imports, and re-exports that nothing imports from the index. A type that the signature of an
// imported name mentions may stay: declarations need it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ALL = '*';
const CHECKED = /^(packages|services)\/[^/]+\/(src|testing|tests|load)\/.*\.tsx?$/;
const filesLike = (...patterns) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => existsSync(path));

/** Source file of each `@sluice/...` specifier. */
function readPackages() {
  const sources = new Map();
  for (const path of filesLike('packages/*/package.json', 'services/*/package.json')) {
    const { name, exports = {} } = JSON.parse(readFileSync(path, 'utf8'));
    // Programs and data files have no source.
    for (const [key, { source }] of Object.entries(exports))
      if (source !== undefined) sources.set(join(name, key), join(dirname(path), source));
  }
  return sources;
}

const isExported = (node) => ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** Names in the types of a declaration. Parameters of functions do not count: a caller need not name their types. */
function mentionedBy(node) {
  const types = [];
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  if (isType || ts.isClassDeclaration(node)) types.push(node);
  for (const { type, initializer } of node.declarationList?.declarations ?? [node]) {
    types.push(type, initializer?.type, ...(initializer?.body?.parameters ?? [])); // of the function that it returns
  }
  return types.flatMap((type) => type?.getText().match(/\w+/g) ?? []);
}

/** Names that a file declares (with the names in their types), exports, re-exports and imports. */
function readModule(path, packages) {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = { declared: new Map(), exported: [], forwarded: new Map(), imported: [] };
  const resolve = (text) =>
    packages.get(text) ?? join(dirname(path), text).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  const addImport = (node) => {
    const names = node.importClause?.namedBindings?.elements?.map((each) => (each.propertyName ?? each.name).text);
    for (const name of names ?? [ALL]) found.imported.push([resolve(node.moduleSpecifier.text), name]);
  };
  const addForwarded = ({ exportClause, moduleSpecifier }) => {
    const from = moduleSpecifier === undefined ? path : resolve(moduleSpecifier.text);
    const names = exportClause?.elements ?? [
      { name: exportClause?.name ?? { text: ALL }, propertyName: { text: ALL } },
    ];
    for (const { name, propertyName = name } of names) found.forwarded.set(name.text, [from, propertyName.text]);
  };
  for (const node of tree.statements) {
    if (ts.isImportDeclaration(node)) addImport(node);
    else if (ts.isExportDeclaration(node)) addForwarded(node);
    else if (ts.canHaveModifiers(node)) {
      const names = node.declarationList?.declarations.flatMap(({ name }) => name.elements ?? { name }) ?? [node];
      for (const { name } of names) found.declared.set(name?.text, mentionedBy(node));
      if (isExported(node)) found.exported.push(...names.map(({ name }) => name.text));
    }
  }
  for (const [call] of tree.text.matchAll(/\bimport\([^;]*?\)/g)) {
    for (const [text] of call.matchAll(/@?[\w./-]+/g)) found.imported.push([resolve(text), ALL]);
  }
  return found;
}

/** Returns `path: name` of each export of packages and services that no other file imports. */
export function findUnusedExports() {
  const packages = readPackages();
  const modules = new Map(filesLike('*.ts', '*.tsx', '*.mjs').map((path) => [path, readModule(path, packages)]));
  const used = new Set();
  const mentioned = new Set();
  const use = (path, name) => {
    const { declared, forwarded } = modules.get(path) ?? {};
    if (declared === undefined || used.has(`${path} ${name}`)) return;
    used.add(`${path} ${name}`);
    if (name === ALL) for (const each of [...declared.keys(), ...forwarded.keys()]) use(path, each);
    for (const each of declared.get(name) ?? []) mention(path, each);
    if (forwarded.has(name)) use(...forwarded.get(name));
  };
  const mention = (path, name) => {
    mentioned.add(`${path} ${name}`);
    use(path, name);
  };
  for (const { imported } of modules.values()) for (const each of imported) use(...each);
  const isUsed = (path, name, from = []) => used.has(`${path} ${name}`) || mentioned.has(from.join(' '));
  return [...modules].flatMap(([path, { exported, forwarded }]) =>
    [...exported, ...forwarded.keys()]
      .filter((name) => CHECKED.test(path) && !isUsed(path, name, forwarded.get(name)))
      .map((name) => `${path}: ${name} is exported, and no other file imports it`),
  );
}
