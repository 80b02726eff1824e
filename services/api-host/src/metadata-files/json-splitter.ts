import { FILE_OBJECT_BYTES_MAX } from '@sluice/contract';
import { FileFault } from '@sluice/contract/metadata-files';

/** Text of an element of `metadata_objects`, or of another member of the document. */
export interface JsonPart {
  readonly line: number;
  /** Undefined for an element. */
  readonly member: string | undefined;
  readonly text: string;
}

const LIST = 'metadata_objects';
const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Position in the document. `value` and `element` collect JSON. */
type State = 'document' | 'key' | 'colon' | 'list' | 'value' | 'element' | 'comma' | 'end';

/**
 * Splits a JSON document with `metadata_objects` into the JSON of its elements, without holding the document in memory. The pieces
 * themselves are not validated. Throws a FileFault that names the line where the document has another form.
 */
export class JsonSplitter {
  #state: State = 'document';
  #line = 1;
  #held = '';
  #partLine = 0;
  #member = '';
  #elements = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  readonly #members = new Set<string>();

  *push(chunk: string): Generator<JsonPart> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (code === LF) this.#line += 1;
      if (this.#isInString) {
        if (this.#endsKey(code)) this.#startMember(this.#held + chunk.slice(start, at + 1));
      } else if (BLANKS.has(code)) continue;
      else if (!this.#isInPart) start = this.#step(code, at);
      else if (this.#endsPart(code)) {
        yield* this.#part(this.#held + chunk.slice(start, at), code);
        start = at + 1;
      }
    }
    if (this.#isInPart || this.#isInString) this.#hold(chunk.slice(start));
  }

  finish(): void {
    if (this.#state !== 'end') throw this.#fault('ends before the JSON does; send the whole file');
  }

  #fault(message: string): FileFault {
    return new FileFault(`line ${this.#line}`, message);
  }

  #hold(text: string): void {
    this.#held += text;
    if (this.#held.length > FILE_OBJECT_BYTES_MAX) {
      throw this.#fault(`is in an object of more than ${FILE_OBJECT_BYTES_MAX} characters`);
    }
  }

  get #isInPart(): boolean {
    return this.#state === 'value' || this.#state === 'element';
  }

  /** Follows a string. Returns whether the character ends a key of the document. */
  #endsKey(code: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
    return !this.#isInString && this.#state === 'key';
  }

  /** Handles a character outside parts and strings. Returns where the next text starts. */
  #step(code: number, at: number): number {
    const next = this.#next(code);
    if (next === undefined) throw this.#fault(`is not part of a JSON object {"${LIST}": [...]}`);
    const isKey = this.#state === 'key' && next === 'key';
    this.#state = next;
    this.#held = '';
    this.#partLine = 0;
    if (isKey) {
      this.#isInString = true;
      return at;
    }
    return at + 1;
  }

  #next(code: number): State | undefined {
    switch (this.#state) {
      case 'document':
        return code === OPENING_BRACE ? 'key' : undefined;
      case 'key':
        if (code === QUOTE) return 'key';
        return code === CLOSING_BRACE && this.#members.size === 0 ? 'end' : undefined;
      case 'colon':
        if (code !== COLON) return undefined;
        return this.#member === LIST ? 'list' : 'value';
      case 'list':
        if (code !== OPENING_BRACKET) throw this.#fault(`has ${LIST} that is not an array`);
        return 'element';
      case 'comma':
        if (code === COMMA) return 'key';
        return code === CLOSING_BRACE ? 'end' : undefined;
      default:
        return undefined;
    }
  }

  #startMember(text: string): void {
    this.#held = '';
    let name: unknown;
    try {
      name = JSON.parse(text);
    } catch {
      throw this.#fault('has a key that is not a JSON string');
    }
    this.#member = String(name);
    if (this.#members.has(this.#member)) throw this.#fault(`has the key ${text} a second time`);
    this.#members.add(this.#member);
    this.#state = 'colon';
  }

  /** Follows the nesting of a part. Returns whether the character ends it. */
  #endsPart(code: number): boolean {
    if (this.#partLine === 0) this.#partLine = this.#line;
    if (code === QUOTE) this.#isInString = true;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) this.#depth += 1;
    else if (this.#depth > 0) {
      if (code === CLOSING_BRACE || code === CLOSING_BRACKET) this.#depth -= 1;
    } else return code === COMMA || code === (this.#state === 'element' ? CLOSING_BRACKET : CLOSING_BRACE);
    return false;
  }

  *#part(text: string, end: number): Generator<JsonPart> {
    const isElement = this.#state === 'element';
    const part = { line: this.#partLine, member: isElement ? undefined : this.#member, text };
    const isEmptyList = isElement && this.#elements === 0 && end === CLOSING_BRACKET;
    if (text.trim() === '' && !isEmptyList) throw this.#fault('has a comma without a value before or after it');
    if (text.length > FILE_OBJECT_BYTES_MAX) this.#hold(text);
    this.#held = '';
    this.#partLine = 0;
    if (isElement) this.#elements += 1;
    if (isElement) this.#state = end === COMMA ? 'element' : 'comma';
    else this.#state = end === COMMA ? 'key' : 'end';
    if (!isEmptyList || text.trim() !== '') yield part;
  }
}
