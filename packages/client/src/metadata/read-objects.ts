import { IncompleteResultError, type SluiceErrorFields } from '../errors.ts';
import { PART_BYTES_MAX } from '../http/read-json.ts';
import { type Shape, violationOf } from '../operations/check-answer.ts';
import { malformed, readChunks } from '../queries/read-blocks.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** Depth of `[` in `{"name":[...]}`. */
const LIST_DEPTH = 2;

/**
 * Splits `{"name":[{...},{...}]}` into the JSON of its elements, wherever the pieces of the text end. A piece costs no more than its
 * length, and one element is held at a time.
 */
export class JsonElements {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #pieces: string[] = [];
  #characters = 0;
  #isWhole = false;

  /** Whether the last brace has arrived. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns the elements that end in this piece. */
  add(piece: string): string[] {
    const elements: string[] = [];
    // Index of the element that began in this piece, or 0 if it began in an earlier one.
    let start = this.#depth > LIST_DEPTH ? 0 : -1;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#skipText(code)) continue;
      if (OPENING.has(code)) {
        if (this.#depth === LIST_DEPTH) start = at;
        this.#depth += 1;
      } else if (CLOSING.has(code)) {
        this.#depth -= 1;
        if (this.#depth === LIST_DEPTH) {
          elements.push(this.#end(piece.slice(start, at + 1)));
          start = -1;
        }
        if (this.#depth === 0) this.#isWhole = true;
      }
    }
    if (start !== -1) {
      this.#pieces.push(piece.slice(start));
      this.#characters += piece.length - start;
    }
    return elements;
  }

  /** Length of the element that has begun. */
  get characters(): number {
    return this.#characters;
  }

  /** Returns whether a character belongs to a string. */
  #skipText(code: number): boolean {
    if (!this.#isText) {
      this.#isText = code === QUOTE;
      return this.#isText;
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isText = false;
    return true;
  }

  #end(last: string): string {
    const text = this.#pieces.join('') + last;
    this.#pieces = [];
    this.#characters = 0;
    return text;
  }
}

/** Members of an object that both exports and reports have. */
export const OBJECT_SHAPE = {
  type: 'string',
  id: 'string',
  'display_name?': 'string',
  'description?|null': 'string',
  'tags?': ['string'],
  'domains?': ['string'],
  'fields?': [{ name: 'string', 'description?|null': 'string', 'tags?': ['string'] }],
} as const;

interface ReadObjectsOptions {
  /** Noun for the response in messages: `export` or `report`. */
  readonly what: string;
  /** Sentence that says what to do when it is incomplete. */
  readonly advice: string;
  readonly signal: AbortSignal;
  /** Shape that each object must have. */
  readonly shape: Shape;
}

interface Source {
  readonly what: string;
  readonly shape: Shape;
  readonly ids: SluiceErrorFields;
}

function parse<Element>(text: string, { what, shape, ids }: Source): Element {
  let element: unknown;
  try {
    element = JSON.parse(text);
  } catch (cause) {
    throw malformed(`An object of the ${what} is not JSON`, { ...ids, cause });
  }
  const violation = violationOf(shape, element);
  if (violation !== undefined) throw malformed(`An object of the ${what} is not valid: ${violation}`, ids);
  return element as Element;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, { what, ids }: Source): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw malformed(`The ${what} is not valid UTF-8`, { ...ids, cause });
  }
}

/**
 * Yields the objects of `{"metadata_objects":[...]}` as they arrive. Leaving the loop ends the transfer.
 * @throws IncompleteResultError if the document ends early; the objects before it are valid, but not all of them
 */
export async function* readObjects<Element>(
  response: Response,
  { what, advice, signal, shape }: ReadObjectsOptions,
): AsyncGenerator<Element, void, undefined> {
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const source = { what, shape, ids };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const elements = new JsonElements();
  const body = response.body ?? new Blob([]).stream();
  for await (const chunk of readChunks(body, { idleTimeoutMs: undefined, signal, ids, advice })) {
    for (const text of elements.add(decode(decoder, chunk, source))) yield parse(text, source);
    if (elements.characters > PART_BYTES_MAX)
      throw malformed(`An object of the ${what} has more than ${PART_BYTES_MAX / 1024 / 1024} MiB`, ids);
  }
  if (elements.isWhole) return;
  const message = `The ${what} is incomplete: the file ended before its last brace. ${advice}`;
  throw new IncompleteResultError('cut', message, ids);
}
