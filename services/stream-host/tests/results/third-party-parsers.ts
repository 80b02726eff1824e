import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { parseString } from 'fast-csv';

/** JSON value that keeps the digits of numbers, and the order and duplicates of members. */
export type Lossless =
  | null
  | boolean
  | string
  | { readonly number: string }
  | { readonly object: readonly (readonly [string, Lossless])[] }
  | readonly Lossless[];

const SCRIPT = `
import csv, io, json, sys
csv.field_size_limit(2 ** 31 - 1)
def number(digits): return {"number": digits}
def constant(word): raise ValueError(word + " is not JSON")
def members(pairs): return {"object": pairs}
def read_json(text):
    return json.loads(text, parse_int=number, parse_float=number, parse_constant=constant, object_pairs_hook=members)
def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))
sys.stdin.reconfigure(encoding="utf-8", newline="\\n")
for line in sys.stdin:
    kind, text = json.loads(line)
    try:
        print(json.dumps(["read", read_json(text) if kind == "json" else read_csv(text)]), flush=True)
    except Exception as thrown:
        print(json.dumps(["failed", repr(thrown)[:500]]), flush=True)
`;

/** Python's lossless parsers of JSON and CSV, in one process for many documents. */
export class PythonParser implements Disposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    this.#child = spawn('python3', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** Parses one document at a time. Throws for invalid JSON. */
  async json(text: string): Promise<Lossless> {
    return (await this.#ask('json', text)) as Lossless;
  }

  /** Returns all rows including the header. An empty line has one field, as in a result of one column. Throws for invalid CSV. */
  async csv(text: string): Promise<string[][]> {
    return ((await this.#ask('csv', text)) as string[][]).map(atLeastOneField);
  }

  async #ask(kind: 'json' | 'csv', text: string): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify([kind, text])}\n`);
    const { value } = await this.#answers.next();
    const [outcome, answer] = JSON.parse(String(value)) as [string, unknown];
    if (outcome === 'failed') throw new Error(`Python could not read the ${kind}: ${answer}`);
    return answer;
  }

  [Symbol.dispose](): void {
    this.#child.stdin.end();
  }
}

/** Parses CSV with fast-csv, which may treat a field of white space as empty. */
export const parseByFastCsv = (text: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(text, { headers: false })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(atLeastOneField(row)))
      .on('end', () => resolve(rows));
  });

export const withoutBlanks = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((row) => row.map((field) => (field.trim() === '' ? '' : field)));

const atLeastOneField = (row: string[]): string[] => (row.length === 0 ? [''] : row);
