import { formatCount } from '../output/quantity.ts';
import { FileFault } from '../text-files/file-fault.ts';
import { parseYaml } from '../text-files/parse-yaml.ts';
import { textLines } from '../text-files/text-lines.ts';

/** Text of one object, the limit of the API. */
const OBJECT_CHARACTERS_MAX = 4 * 1024 * 1024;

const LIST = /^metadata_objects:\s*(?:#.*)?$/;
const EMPTY_LIST = /^metadata_objects:\s*\[\s*\]\s*(?:#.*)?$/;
const DRY_RUN = /^dry_run:/;
const ITEM = /^( *)-(?: |$)/;
const IGNORED = /^\s*(?:#.*)?$/;
const NOT_A_LIST =
  'this is not a list of objects; begin with `metadata_objects:` and write each object as an item, `- type: TABLE`';

const NO_DRY_RUN = 'dry_run is not accepted in YAML; remove the line, and give --dry-run to the command';

/** Error of a line outside the list. */
const outside = (line: number, text: string): FileFault =>
  new FileFault(line, text.search(/\S/) + 1, DRY_RUN.test(text) ? NO_DRY_RUN : NOT_A_LIST);

interface Item {
  readonly line: number;
  readonly text: string;
}

/**
 * Finds the items of a block list. An item begins with a dash at the indentation of the list, and nothing within an item can: YAML indents
 * it, also in block scalars and quoted scalars. So a file of any size is read item by item.
 */
class ItemSplitter {
  #indent: number | undefined;
  #line = 0;
  #lines: string[] = [];
  #characters = 0;

  /** Returns the item that ends before this line, if one does. */
  add(line: number, text: string): Item | undefined {
    if (this.#indent === undefined) return this.#start(line, text);
    const dash = ITEM.exec(text);
    if (dash?.[1]?.length === this.#indent) return this.#next(line, text);
    const indent = text.search(/\S/);
    if (IGNORED.test(text) || indent > this.#indent) {
      this.#hold(text);
      return undefined;
    }
    throw outside(line, text);
  }

  end(): Item | undefined {
    const item = this.#lines.length === 0 ? undefined : { line: this.#line, text: `${this.#lines.join('\n')}\n` };
    this.#lines = [];
    this.#characters = 0;
    return item;
  }

  #start(line: number, text: string): Item | undefined {
    const dash = ITEM.exec(text);
    if (dash !== null) {
      this.#indent = dash[1]?.length ?? 0;
      return this.#next(line, text);
    }
    if (IGNORED.test(text) || text === '---' || LIST.test(text) || EMPTY_LIST.test(text)) return undefined;
    throw outside(line, text);
  }

  #next(line: number, text: string): Item | undefined {
    const item = this.end();
    this.#line = line;
    this.#hold(text.replace('-', ' '));
    return item;
  }

  #hold(text: string): void {
    this.#lines.push(text);
    this.#characters += text.length + 1;
    if (this.#characters > OBJECT_CHARACTERS_MAX)
      throw new FileFault(
        this.#line,
        undefined,
        `the object has more than ${formatCount(OBJECT_CHARACTERS_MAX)} characters`,
      );
  }
}

/**
 * Reads a YAML list of objects as NDJSON, with constant memory. Each object is on the line of the NDJSON on which it begins in the YAML
 * (lines between them are blank), so that lines in errors and reports are those of the file.
 * @throws FileFault with the first mistake and its place
 */
export async function* yamlToNdjson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const yaml = await import('yaml');
  const splitter = new ItemSplitter();
  let written = 1;
  const ndjson = ({ line, text }: Item): string => {
    const { value } = parseYaml(yaml, text, line);
    const blank = '\n'.repeat(line - written);
    written = line + 1;
    return `${blank}${JSON.stringify(value)}\n`;
  };
  for await (const { line, text } of textLines(chunks, OBJECT_CHARACTERS_MAX)) {
    const item = splitter.add(line, line === 1 ? text.replace(/^\uFEFF/, '') : text);
    if (item !== undefined) yield ndjson(item);
  }
  const last = splitter.end();
  if (last !== undefined) yield ndjson(last);
}
