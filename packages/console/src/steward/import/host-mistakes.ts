import type { FileMistake } from './checked-file.ts';

/** Returns the mistakes that the host has found in a file, or undefined if it rejected the request for another reason. */
export function mistakesOf(error: unknown): readonly FileMistake[] | undefined {
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'code') !== 'invalid_request') return undefined;
  const details: unknown = Reflect.get(error, 'details');
  return Array.isArray(details) && details.length > 0 ? (details as FileMistake[]) : undefined;
}
