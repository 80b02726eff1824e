import type { ProblemDetail } from '@sluice/contract';
import type { z } from 'zod';

type InputPlace = 'params' | 'query' | 'body';
export type Validated = { readonly value: unknown; readonly details: readonly ProblemDetail[] };

const PLACE_NAMES = { params: 'path', query: 'query', body: 'body' } as const;
const NAME_CHARACTERS_MAX = 100;

export const pathOf = (place: InputPlace, keys: readonly PropertyKey[]): string =>
  keys.reduce<string>(memberOf, PLACE_NAMES[place]);

function memberOf(path: string, key: PropertyKey): string {
  const name = String(key).slice(0, NAME_CHARACTERS_MAX);
  return typeof key === 'number' ? `${path}[${name}]` : `${path}.${name}`;
}

/** The library's sentence about a type, which schemas without a message of their own have. */
const TYPE_SENTENCE = /^Invalid input: expected (\w+), received (\w+)$/;

function messageOf({ message }: z.core.$ZodIssue): string {
  const [, expected, received] = TYPE_SENTENCE.exec(message) ?? [];
  if (expected === undefined) return message;
  return received === 'undefined'
    ? `is required, of the type ${expected}`
    : `must be of the type ${expected}, not ${received}`;
}

function detailsOf(place: InputPlace, issue: z.core.$ZodIssue): ProblemDetail[] {
  if (issue.code === 'unrecognized_keys') {
    const parent = pathOf(place, issue.path);
    return issue.keys.map((key) => ({ path: memberOf(parent, key), message: 'is not a known key' }));
  }
  return [{ path: pathOf(place, issue.path), message: messageOf(issue) }];
}

/** Validates one part of the input. Every violation becomes a detail. */
export async function validate(place: InputPlace, schema: z.ZodType, input: unknown): Promise<Validated> {
  const result = await schema.safeParseAsync(input);
  if (result.success) return { value: result.data, details: [] };
  return { value: undefined, details: result.error.issues.flatMap((issue) => detailsOf(place, issue)) };
}
