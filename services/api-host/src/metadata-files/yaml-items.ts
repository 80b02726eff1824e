import { setImmediate } from 'node:timers/promises';
import { FILE_OBJECT_BYTES_MAX } from '@sluice/contract';
import { FileFault } from '@sluice/contract/metadata-files';
import { parseYamlPart, YamlFault } from '@sluice/http';
import type { RawObject } from './check-object.ts';
import { readLines } from './read-lines.ts';

const LIST = /^metadata_objects:\s*(?:#.*)?$/;
const EMPTY_LIST = /^metadata_objects:\s*\[\s*\]\s*(?:#.*)?$/;
const DRY_RUN = /^dry_run:/;
const ITEM = /^( *)-(?: |$)/;
const IGNORED = /^\s*(?:#.*)?$/;
const NOT_A_LIST =
  'this is not a list of objects; begin with `metadata_objects:` and write each object as an item, `- type: TABLE`';
const NO_DRY_RUN = 'dry_run is not accepted in YAML; remove the line, and ask for a dry run with the request';

/** The parser takes 0.2 ms for an object of a few lines: other requests get a turn after this time. */
const TURN_MS = 10;

const faultAt = (line: number, column: number, message: string): FileFault =>
  new FileFault(`line ${line}, column ${column}`, message);

/** Fault of a line outside the list. */
const outside = (line: number, text: string): FileFault =>
  faultAt(line, text.search(/\S/) + 1, DRY_RUN.test(text) ? NO_DRY_RUN : NOT_A_LIST);

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
    if (!IGNORED.test(text) && text.search(/\S/) <= this.#indent) throw outside(line, text);
    this.#hold(text);
    return undefined;
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
    // Columns stay those of the file.
    this.#hold(text.replace('-', ' '));
    return item;
  }

  #hold(text: string): void {
    this.#lines.push(text);
    this.#characters += text.length + 1;
    if (this.#characters > FILE_OBJECT_BYTES_MAX)
      throw new FileFault(`line ${this.#line}`, `starts an object of more than ${FILE_OBJECT_BYTES_MAX} characters`);
  }
}

function parseItem({ line, text }: Item): RawObject | FileFault {
  try {
    const { value, positionOf } = parseYamlPart(text);
    return { line, value, locate: (keys) => ({ line: line + positionOf(keys).line - 1, keys }) };
  } catch (thrown) {
    if (!(thrown instanceof YamlFault)) throw thrown;
    const { position, message } = thrown;
    if (position === undefined) return new FileFault(`line ${line}`, message);
    return faultAt(line + position.line - 1, position.column, message);
  }
}

/** Reads the objects of a YAML list, one at a time. Throws a FileFault for a line that is not part of a list. */
export async function* yamlItems(chunks: AsyncIterable<string>): AsyncGenerator<readonly (RawObject | FileFault)[]> {
  const splitter = new ItemSplitter();
  let turnMs = performance.now();
  for await (const lines of readLines(chunks, { keepsBlank: true })) {
    for (const { line, text } of lines) {
      const item = splitter.add(line, text.endsWith('\r') ? text.slice(0, -1) : text);
      if (item === undefined) continue;
      yield [parseItem(item)];
      if (performance.now() - turnMs < TURN_MS) continue;
      await setImmediate();
      turnMs = performance.now();
    }
  }
  const last = splitter.end();
  if (last !== undefined) yield [parseItem(last)];
}
