import type { RawObject } from '@sluice/contract/metadata-files';

const PART_CHARACTERS = 256 * 1024;

/** Writes objects as NDJSON, each on the line on which it began, so that lines in mistakes and reports are those of the file. */
export class NdjsonWriter {
  readonly #parts: string[] = [];
  #part = '';
  #line = 1;

  add({ line, value }: Pick<RawObject, 'line' | 'value'>): void {
    this.#part += `${'\n'.repeat(Math.max(line - this.#line, 0))}${JSON.stringify(value)}\n`;
    this.#line = Math.max(line, this.#line) + 1;
    if (this.#part.length < PART_CHARACTERS) return;
    this.#parts.push(this.#part);
    this.#part = '';
  }

  end(): Blob {
    return new Blob([...this.#parts, this.#part]);
  }
}
