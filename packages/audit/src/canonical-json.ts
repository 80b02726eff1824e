const STRING = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

type Member = readonly [name: string, text: string];

const byName = ([a]: Member, [b]: Member): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns an object as canonical JSON. The JSON of the members must be canonical already. */
export const canonicalObject = (members: readonly Member[]): string =>
  `{${[...members]
    .sort(byName)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws SyntaxError unless the text ends here. */
  end(): void {
    this.#take(SPACE);
    if (this.#at !== this.#text.length) throw this.#unexpected();
  }

  value(): string {
    this.#take(SPACE);
    switch (this.#text[this.#at]) {
      case '{':
        return canonicalObject(this.members());
      case '[':
        return `[${this.#items('[', ']', () => this.value()).join(',')}]`;
      case '"':
        return JSON.stringify(this.#string());
      default:
        return this.#take(NUMBER) ?? this.#take(WORD) ?? this.#fail();
    }
  }

  members(): Member[] {
    this.#take(SPACE);
    return this.#items('{', '}', () => {
      this.#take(SPACE);
      const name = this.#string();
      this.#expect(':');
      return [name, this.value()] as const;
    });
  }

  #items<T>(open: string, close: string, item: () => T): T[] {
    this.#expect(open);
    const items: T[] = [];
    if (this.#has(close)) return items;
    do items.push(item());
    while (this.#has(','));
    this.#expect(close);
    return items;
  }

  #string(): string {
    return JSON.parse(this.#take(STRING) ?? this.#fail()) as string;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #has(character: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#has(character)) this.#fail();
  }

  #fail(): never {
    throw this.#unexpected();
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected text at character ${this.#at}`);
  }
}

/**
 * Returns JSON text in canonical form: no white space, members sorted by name (UTF-16 code units, RFC 8785 section 3.2.3), strings as
 * JSON.stringify writes them. Numbers keep their digits, because a double cannot tell apart two numbers beyond 2^53. Throws SyntaxError.
 */
export function canonicalJson(text: string): string {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

/** Returns the members of an object, each in canonical form. Throws SyntaxError, also for a repeated name. */
export function canonicalMembers(text: string): Map<string, string> {
  const reader = new Reader(text);
  const members = reader.members();
  reader.end();
  const found = new Map(members);
  if (found.size !== members.length) throw new SyntaxError('a member is repeated');
  return found;
}
