import { invalidRequest, type ProblemError } from '@sluice/contract';

/** Headers of a request by name in lower case, as Node.js parses them: those of one name are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

interface ListBounds {
  readonly itemsMax: number;
  readonly charactersMax: number;
}

interface MapBounds {
  readonly itemsMax: number;
  readonly nameCharactersMax: number;
  readonly valueCharactersMax: number;
}

/** Control characters. A header holds none that Node.js accepts, but a percent-encoded value may. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
const ASCII = /^[\x20-\x7e]*$/;

/** Reads the `X-Trino-*` headers of a request. Each method throws `invalid_request` for a value that breaks its bounds. */
export class HeaderReader {
  readonly #headers: RequestHeaders;

  constructor(headers: RequestHeaders) {
    this.#headers = headers;
  }

  /** Returns the text of a header; undefined if it is absent or empty. */
  text(name: string, charactersMax: number): string | undefined {
    const values = this.#values(name);
    if (values.length > 1) throw violation(name, 'is there more than once');
    const text = values[0] ?? '';
    if (text.length > charactersMax) throw violation(name, `must have at most ${charactersMax} characters`);
    if (CONTROL.test(text)) throw violation(name, 'must not contain control characters');
    return text === '' ? undefined : text;
  }

  /** Returns the text of a header that names something: HTTP carries no other characters than ASCII unchanged. */
  name(name: string, charactersMax: number): string | undefined {
    const text = this.text(name, charactersMax);
    if (text !== undefined && !ASCII.test(text)) throw violation(name, 'must have ASCII characters only');
    return text;
  }

  /** Returns the items of a header that is a list with commas. Empty items are dropped. */
  list(name: string, { itemsMax, charactersMax }: ListBounds): readonly string[] {
    const items = this.#values(name)
      .flatMap((value) => value.split(','))
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length > itemsMax) throw violation(name, `must have at most ${itemsMax} items`);
    const isLong = items.some((item) => item.length > charactersMax);
    if (isLong) throw violation(name, `must have items of at most ${charactersMax} characters`);
    if (items.some((item) => CONTROL.test(item))) throw violation(name, 'must not contain control characters');
    return items;
  }

  /** Returns the entries of a header that is a list of `name=value`, both percent-encoded as in a form: `+` is a space. */
  map(name: string, bounds: MapBounds): ReadonlyMap<string, string> {
    const entries = new Map<string, string>();
    const items = this.list(name, { itemsMax: bounds.itemsMax, charactersMax: Number.POSITIVE_INFINITY });
    for (const item of items) {
      const at = item.indexOf('=');
      if (at < 1) throw violation(name, 'must have the form name=value, with commas between');
      const key = decoded(name, item.slice(0, at));
      const value = decoded(name, item.slice(at + 1));
      if (entries.has(key)) throw violation(name, `names ${shown(key)} twice`);
      if (key.length > bounds.nameCharactersMax)
        throw violation(name, `must have names of at most ${bounds.nameCharactersMax} characters`);
      if (value.length > bounds.valueCharactersMax)
        throw violation(name, `must have values of at most ${bounds.valueCharactersMax} characters`);
      entries.set(key, value);
    }
    return entries;
  }

  #values(name: string): readonly string[] {
    const value = this.#headers[name];
    const values = value === undefined || typeof value === 'string' ? [value ?? ''] : value;
    return values.map((each) => each.trim()).filter((each) => each !== '');
  }
}

/** Returns the problem of a header. `message` continues its name. */
export const violation = (name: string, message: string): ProblemError =>
  invalidRequest({ path: `header.${name}`, message });

const SHOWN_CHARACTERS_MAX = 40;
const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));

function decoded(name: string, text: string): string {
  let value: string;
  try {
    value = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw violation(name, 'must be percent-encoded UTF-8');
  }
  if (value.includes('\0')) throw violation(name, 'must not contain the NUL character');
  return value;
}
