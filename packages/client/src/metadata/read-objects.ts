import { IncompleteResultError, type SluiceErrorFields } from '../errors.ts';
import { malformed, readChunks } from '../queries/read-blocks.ts';
import { JsonElements } from './json-elements.ts';

interface ReadObjectsOptions {
  /** Noun for the response in messages: `export` or `report`. */
  readonly what: string;
  /** Sentence that says what to do when it is incomplete. */
  readonly advice: string;
  readonly signal: AbortSignal;
}

interface Source {
  readonly what: string;
  readonly ids: SluiceErrorFields;
}

function parse<Element>(text: string, { what, ids }: Source): Element {
  try {
    return JSON.parse(text) as Element;
  } catch (cause) {
    throw malformed(`An object of the ${what} is not JSON`, { ...ids, cause });
  }
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
 * @throws IncompleteResultError if the document ends early; the objects before it are valid, and not all
 */
export async function* readObjects<Element>(
  response: Response,
  { what, advice, signal }: ReadObjectsOptions,
): AsyncGenerator<Element, void, undefined> {
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const source = { what, ids };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const elements = new JsonElements();
  const body = response.body ?? new Blob([]).stream();
  for await (const chunk of readChunks(body, { idleTimeoutMs: undefined, signal, ids, advice }))
    for (const text of elements.add(decode(decoder, chunk, source))) yield parse(text, source);
  if (elements.isWhole) return;
  const message = `The ${what} is incomplete: the file ended before its last brace. ${advice}`;
  throw new IncompleteResultError('cut', message, ids);
}
