import { FileFault, type RawObject } from '@sluice/contract/metadata-files';
import type { LineCounter, Node, YAMLMap } from 'yaml';
import { yamlNodeAt } from '../../api/yaml-node-at.ts';
import type { FileItems, FileReader } from './file-items.ts';
import { NdjsonWriter } from './ndjson-writer.ts';

/** A document is read as a whole, which takes a second for each megabyte. */
const CHARACTERS_MAX = 2 * 1024 * 1024;
const NOT_A_LIST =
  'is not a list of objects; begin with `metadata_objects:` and write each object as an item, `- type: TABLE`';

type Yaml = typeof import('yaml');

/** Core schema of YAML 1.2, as the host reads configurations. */
const OPTIONS = { version: '1.2', schema: 'core', strict: true, prettyErrors: false } as const;

const lineAt = (lines: LineCounter, offset: number): number => Math.max(lines.linePos(offset).line, 1);

/** Rejects what JSON does not have: aliases, which make a small file a large one, tags, and keys that are not strings. */
function checkNode(yaml: Yaml, node: Node, fail: (node: Node, what: string) => never): void {
  if (yaml.isAlias(node)) fail(node, `has the alias *${node.source}; write the value out`);
  if ('anchor' in node && node.anchor !== undefined) fail(node, `has the anchor &${node.anchor}; write the value out`);
  if (node.tag?.startsWith('!')) fail(node, `has the tag ${node.tag}; remove it`);
  if (yaml.isMap(node)) {
    const other = node.items.find(({ key }) => !yaml.isScalar(key) || typeof key.value !== 'string');
    if (other !== undefined) fail(node, 'has a key that is not a string; put it in quotes');
  }
}

/** Returns the items of the list, or undefined if the document has another form. */
function listOf(yaml: Yaml, contents: unknown): readonly unknown[] | undefined {
  if (yaml.isSeq(contents)) return contents.items;
  if (!yaml.isMap(contents) || contents.items.length !== 1) return undefined;
  const list = (contents as YAMLMap).get('metadata_objects', true);
  return yaml.isSeq(list) ? list.items : undefined;
}

function parse(yaml: Yaml, text: string): RawObject[] {
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) {
    const [sentence = ''] = mistake.message.split('\n');
    throw new FileFault(`line ${lineAt(lines, mistake.pos[0])}`, `is not valid YAML: ${sentence.replace(/[.:]$/, '')}`);
  }
  yaml.visit(document, (_key, node) => {
    if (yaml.isNode(node))
      checkNode(yaml, node, (at, what) => {
        throw new FileFault(`line ${lineAt(lines, at.range?.[0] ?? 0)}`, what);
      });
  });
  const items = document.contents === null ? [] : listOf(yaml, document.contents);
  if (items === undefined) throw new FileFault('line 1', NOT_A_LIST);
  return items.map((item) => {
    if (!yaml.isNode(item)) return { line: 1, value: null, placeOf: (keys) => ({ line: 1, keys }) };
    const lineOf = (node: Node): number => lineAt(lines, node.range?.[0] ?? 0);
    const value: unknown = item.toJS(document);
    return { line: lineOf(item), value, placeOf: (keys) => ({ line: lineOf(yamlNodeAt(yaml, item, keys)), keys }) };
  });
}

/** Reads the objects of a YAML file, which is sent as NDJSON. */
export function yamlObjects(chunks: AsyncIterable<string>): FileReader {
  const writer = new NdjsonWriter();
  const items = async function* (): FileItems {
    let text = '';
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length > CHARACTERS_MAX)
        throw new FileFault('file', 'has more than 2 MiB of YAML; use CSV, or the command `sluice import`');
    }
    const objects = parse(await import('yaml'), text);
    for (const object of objects) writer.add(object);
    yield objects;
  };
  return { items: items(), rewritten: () => writer.end() };
}
