import type { SessionStatement } from '../door-statement.ts';
import { TrinoError } from '../trino-error.ts';

/** Returns the answer to a statement that changes the session of the client by headers. */
export const changesSession = (updateType: string, headers: SessionStatement['headers']): SessionStatement => ({
  kind: 'session',
  updateType,
  headers,
});

/** Returns the answer to a statement that has rows. */
export const hasRows = (result: NonNullable<SessionStatement['result']>): SessionStatement => ({
  kind: 'session',
  updateType: undefined,
  headers: {},
  result,
});

const VISIBLE = /^[\x20-\x7e]+$/;

/** Returns a name for a header, which clients read without decoding. Throws NOT_SUPPORTED for one with other characters than ASCII. */
export function headerName(name: string): string {
  if (VISIBLE.test(name)) return name;
  throw new TrinoError(
    'NOT_SUPPORTED',
    'A name that the protocol sends in a header must have visible ASCII characters only.',
  );
}

/** Encodes a value as Trino's clients decode it: as in a form. */
export const encoded = (value: string): string => new URLSearchParams([['', value]]).toString().slice(1);
