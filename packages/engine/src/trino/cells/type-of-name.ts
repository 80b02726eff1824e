import type { TrinoType } from './types.ts';

const NUMBER = /^\d+$/;
const ZONED = ' with time zone';
/** Characters that end a name. */
const ENDS: ReadonlySet<string | undefined> = new Set(['(', ',', ')', undefined]);

/** Reads the name of a type as `readType` and the engines write it. Throws an Error for any other text. */
export function typeOfName(name: string): TrinoType {
  const reader = new TypeNameReader(name);
  const type = reader.type();
  if (!reader.isAtEnd) throw new Error(`The type ${name} cannot be read.`);
  return type;
}

class TypeNameReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  type(): TrinoType {
    const start = this.#at;
    while (!ENDS.has(this.#text[this.#at])) this.#at += 1;
    const word = this.#text.slice(start, this.#at);
    if (word === '') throw new Error(`The type ${this.#text} cannot be read.`);
    const parts: TrinoType[] = [];
    const fieldNames: string[] = [];
    if (this.#take('(')) {
      do {
        if (word === 'row') fieldNames.push(this.#fieldName());
        const part = this.type();
        if (!NUMBER.test(part.base)) parts.push(part);
      } while (this.#take(','));
      this.#expect(')');
    }
    const isZoned = this.#text.startsWith(ZONED, this.#at);
    if (isZoned) this.#at += ZONED.length;
    return { name: this.#text.slice(start, this.#at), base: isZoned ? `${word}${ZONED}` : word, parts, fieldNames };
  }

  /** Reads the name of a field and the space after it. */
  #fieldName(): string {
    if (!this.#take('"')) {
      const end = this.#text.indexOf(' ', this.#at);
      if (end === -1) throw new Error(`The type ${this.#text} cannot be read.`);
      const name = this.#text.slice(this.#at, end);
      this.#at = end + 1;
      return name;
    }
    let name = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at);
      if (end === -1) throw new Error(`The type ${this.#text} cannot be read.`);
      name += this.#text.slice(this.#at, end);
      this.#at = end + 1;
      if (!this.#take('"')) break;
      name += '"';
    }
    this.#expect(' ');
    return name;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new Error(`The type ${this.#text} cannot be read.`);
  }
}
