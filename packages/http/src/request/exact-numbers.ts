import { ExactNumber } from '@sluice/contract';
import { endOfString, keyAt } from './json-string.ts';

/** Finds, in strings too, what a number has that JavaScript may not keep: a fraction, an exponent, a negative zero, 16 digits. */
const MAY_LOSE_DIGITS = /\d[.eE]|-0|\d{16}/;
const NUMBER = /[\d.eE+-]+/y;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

type Holder = Record<string | number, unknown>;

/** Object or array around the current position. */
class Level {
  readonly #text: string;
  readonly holder: Holder;
  readonly isArray: boolean;
  #index = 0;
  /** Position of the key of the current member, which is decoded only if it is needed. */
  #keyStart = -1;
  #keyEnd = -1;

  constructor(text: string, holder: Holder) {
    this.#text = text;
    this.holder = holder;
    this.isArray = Array.isArray(holder);
  }

  /** Key or index of the current entry. */
  get entry(): string | number {
    return this.isArray ? this.#index : keyAt(this.#text, this.#keyStart, this.#keyEnd);
  }

  next(): void {
    this.#index += 1;
    this.#keyStart = -1;
  }

  /** The first string of a member is its key; a string after it is its value. */
  readString(start: number, end: number): void {
    if (this.#keyStart !== -1) return;
    this.#keyStart = start;
    this.#keyEnd = end;
  }
}

/** Position within the objects and arrays of a text. */
class Nesting {
  readonly #text: string;
  readonly #member: string;
  readonly #open: Level[] = [];
  /** Number of levels around the member, itself included; 0 outside of it. */
  #within = 0;
  #level: Level | undefined;

  constructor(text: string, member: string) {
    this.#text = text;
    this.#member = member;
  }

  open(value: unknown): void {
    const inner = this.#level === undefined ? value : this.#level.holder[this.#level.entry];
    this.#level = new Level(this.#text, inner as Holder);
    this.#open.push(this.#level);
  }

  close(): void {
    this.#open.pop();
    this.#level = this.#open.at(-1);
    if (this.#within > this.#open.length) this.#within = 0;
  }

  nextEntry(): void {
    this.#level?.next();
    if (this.#within === this.#open.length) this.#within = 0;
  }

  beginValue(): void {
    if (this.#within === 0 && this.#level?.entry === this.#member) this.#within = this.#open.length;
  }

  readString(start: number, end: number): void {
    this.#level?.readString(start, end);
  }

  setNumber(digits: string): void {
    if (this.#within === 0 || this.#level === undefined || String(Number(digits)) === digits) return;
    this.#level.holder[this.#level.entry] = new ExactNumber(digits);
  }
}

/** Returns the number at an index. */
function numberAt(text: string, index: number): string {
  NUMBER.lastIndex = index;
  return NUMBER.exec(text)?.[0] ?? '';
}

/**
 * Replaces each number within a member of that name, at any depth, whose digits JavaScript does not keep, by an `ExactNumber`: `JSON.parse`
 * rounds 9007199254740993 and drops the last digit of 1.10. `text` must be the valid JSON of `value`, without repeated keys. Changes `value`.
 */
export function setExactNumbers(text: string, value: unknown, member: string): void {
  if (!MAY_LOSE_DIGITS.test(text)) return;
  const nesting = new Nesting(text, member);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      nesting.readString(index, end);
      index = end;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const digits = numberAt(text, index);
      nesting.setNumber(digits);
      index += digits.length - 1;
    } else if (code === COMMA) nesting.nextEntry();
    else if (code === COLON) nesting.beginValue();
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) nesting.open(value);
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) nesting.close();
  }
}
