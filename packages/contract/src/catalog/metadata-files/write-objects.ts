import { writeList, writeText } from './csv-cells.ts';
import { FILE_COLUMNS } from './file-format.ts';

/** Object of a metadata file, as far as CSV can express it. */
interface WritableObject {
  readonly type: string;
  readonly id: string;
  readonly display_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly domain_ids?: readonly string[] | undefined;
  readonly fields?:
    | readonly {
        readonly name: string;
        readonly description?: string | null | undefined;
        readonly tags?: readonly string[] | undefined;
      }[]
    | undefined;
}

type Objects = AsyncIterable<WritableObject>;

/** First line of a metadata file in CSV. */
export const CSV_HEADER = FILE_COLUMNS.join(',');

/** Puts a cell of CSV in quotes if it needs them. */
export const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Returns the rows of an object in CSV, each with its line end.
 * @param more - cells of the row of the object behind its own, as text that begins with a comma; the rows of fields have them empty
 */
export function csvRows({ type, id, fields = [], ...own }: WritableObject, more = ''): string {
  const key = `${type},${quoted(id)}`;
  const lists = [own.tags, own.domains, own.domain_ids].map(writeList);
  const cells = [writeText(own.display_name), writeText(own.description), ...lists];
  const empty = more.replaceAll(/"(?:[^"]|"")*"|[^,]/g, '');
  const others = fields.map(
    ({ name, description, tags }) =>
      `${key},${quoted(name)},,${quoted(writeText(description))},${quoted(writeList(tags))},,${empty}\n`,
  );
  return `${key},,${cells.map(quoted).join(',')}${more}\n${others.join('')}`;
}

async function* csv(objects: Objects): AsyncGenerator<string> {
  yield `${CSV_HEADER}\n`;
  for await (const object of objects) yield csvRows(object);
}

async function* json(objects: Objects): AsyncGenerator<string> {
  let before = '{"metadata_objects":[\n';
  for await (const object of objects) {
    yield before + JSON.stringify(object);
    before = ',\n';
  }
  yield before === ',\n' ? '\n]}\n' : `${before}]}\n`;
}

async function* ndjson(objects: Objects): AsyncGenerator<string> {
  for await (const object of objects) yield `${JSON.stringify(object)}\n`;
}

interface YamlOptions {
  readonly version: '1.2';
  readonly schema: 'core';
  readonly lineWidth: number;
  readonly aliasDuplicateObjects: boolean;
  readonly blockQuote: boolean;
}

/** Loads the package `yaml`, which only a file in YAML needs. */
type LoadYaml = () => Promise<{ stringify(value: unknown, options: YamlOptions): string }>;

/** Lines that the library writes in a block, which has no escapes, and reads as something else: blank ones with spaces, other line ends. */
const NOT_FOR_BLOCK = /^\s|(?:^|\n)[ \t]+(?:\n|$)|\n\n$|[\r\u0085\u2028\u2029\ufeff]/;

/** Returns whether every string of a value may be a block, in which people read and edit it best. */
function hasBlocks(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') || !NOT_FOR_BLOCK.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasBlocks);
}

async function* yaml(objects: Objects, loadYaml: LoadYaml): AsyncGenerator<string> {
  const { stringify } = await loadYaml();
  // Width 0: no string is folded. Objects that occur twice are written twice.
  const options = { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false } as const;
  let isEmpty = true;
  for await (const object of objects) {
    // A list of one, so that each object is an item of the file's list.
    const item = stringify([object], { ...options, blockQuote: hasBlocks(object) });
    yield isEmpty ? `metadata_objects:\n${item}` : item;
    isEmpty = false;
  }
  if (isEmpty) yield 'metadata_objects: []\n';
}

const WRITERS = { csv, yaml, json, ndjson };

/** Yields a metadata file with these objects, which an import accepts, object by object. */
export const writeObjects = (
  format: keyof typeof WRITERS,
  objects: Objects,
  loadYaml: LoadYaml,
): AsyncGenerator<string> => WRITERS[format](objects, loadYaml);
