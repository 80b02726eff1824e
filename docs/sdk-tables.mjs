// Tables of sdk.md, from the declarations and comments of packages/client/src.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { QUERY_TRANSITIONS } from '../packages/client/src/queries/query-state.ts';
import { apiOperations, operatorOperations, streamOperations } from '../packages/contract/src/index.ts';

const read = (path) => {
  const url = new URL(`../packages/client/src/${path}`, import.meta.url);
  return ts.createSourceFile(path, readFileSync(url, 'utf8'), ts.ScriptTarget.Latest, true);
};

/** Text of a comment in one line, with the tags that say what is thrown. */
function commentOf(member) {
  const texts = ts.getJSDocCommentsAndTags(member).flatMap((node) => {
    if (!ts.isJSDoc(node)) return [];
    const thrown = (node.tags ?? []).filter(({ tagName }) => tagName.text === 'throws');
    return [ts.getTextOfJSDocComment(node.comment), ...thrown.map((tag) => `Throws ${tagText(tag)}.`)];
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The compiler reads the first word of `@throws` as a type. */
const tagText = (tag) =>
  tag
    .getText()
    .replace(/^@throws\s*/, '')
    .replaceAll(/\s*\n?\s*\*\s*/g, ' ')
    .trim();

const oneLine = (text) => text.replaceAll(/\s+/g, ' ');

/** Types that the tables show as their literals. */
const FORMAT_TYPES = new Set(['DownloadFormat', 'ItemFormat']);

const typeText = (type) =>
  FORMAT_TYPES.has(type)
    ? literalsOf('downloads/download-formats.ts', type)
        .map((name) => `'${name}'`)
        .join(' | ')
    : type;

/** Returns a row for each member of an interface: name, type and comment. */
export function membersOf(path, name) {
  const declaration = read(path).statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (declaration === undefined) throw new Error(`packages/client/src/${path} has no interface ${name}.`);
  const rows = declaration.members.map((member) => {
    const optional = member.questionToken === undefined ? '' : '?';
    const parameters = member.parameters?.map((each) => each.name.text).join(', ');
    const call = parameters === undefined ? '' : `(${parameters})`;
    const type = member.type === undefined ? '' : `\`${typeText(oneLine(member.type.getText()))}\``;
    return [`\`${member.name.getText()}${call}${optional}\``, type, commentOf(member)];
  });
  // Overloads are one row: the comment is that of the first, the type that of the last, which has the defaults.
  return rows.flatMap(([cell, , meaning], index) =>
    cell === rows[index - 1]?.[0] ? [] : [[cell, rows.findLast(([other]) => other === cell)[1], meaning]],
  );
}

/** Returns a row for each operation: function, request and summary. */
export function operationRows() {
  const rows = (prefix, operations) =>
    Object.values(operations).map(({ id, method, path, summary }) => [
      `\`${prefix}.${id}\``,
      `${method} ${path}`,
      summary,
    ]);
  return [
    ...rows('client.stream', streamOperations),
    ...rows('client.api', { ...apiOperations, ...operatorOperations }),
  ];
}

const isDefault = (value) => value === undefined || value === 'ignore';

/** Returns a row for each state of a query: the state, what it means, and the events that change it. */
export function queryStateRows() {
  const [own, final] = ['QueryState', 'FinalState'].map((name) => literalsOf('queries/query-state.ts', name));
  return [...own, ...final].map((state) => {
    const changes = Object.entries(QUERY_TRANSITIONS[state])
      .filter(([, next]) => !isDefault(next) && next !== 'incomplete')
      .map(([event, next]) => `${event} → ${next}`);
    return [`\`${state}\``, changes.length === 0 ? 'nothing: it is final' : changes.join(', ')];
  });
}

/** Members of a union of literals, in the order of the source. */
function literalsOf(path, name) {
  const declaration = read(path).statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
  return declaration.type.types.flatMap((type) => (ts.isLiteralTypeNode(type) ? [type.literal.text] : []));
}

/** Members of `Lists`, in their groups: function and comment. */
export function listRows() {
  const declaration = read('lists/lists.ts').statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'Lists',
  );
  const rows = (members, prefix) =>
    members.flatMap((member) => {
      const name = `${prefix}.${member.name.getText()}`;
      if (member.type !== undefined && ts.isTypeLiteralNode(member.type)) return rows(member.type.members, name);
      const parameters = member.parameters.map(
        (each) => each.name.text + (each.questionToken === undefined ? '' : '?'),
      );
      return [[`\`${name}(${parameters.join(', ')})\``, commentOf(member)]];
    });
  return rows(declaration.members, 'client');
}
