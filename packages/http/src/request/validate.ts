import { NOT_CHECKED, type ProblemDetail, type ViolationLimit } from '@sluice/contract';
import { z } from 'zod';

type InputPart = 'params' | 'query' | 'body';

/** Validated part of the input. */
export interface Validated {
  readonly value: unknown;
  /** The first violations, at most as many as the caller lists. */
  readonly details: readonly ProblemDetail[];
  /** Number of all violations that were found. */
  readonly violations: number;
  /** Whether validation stopped before the end. */
  readonly isStopped?: boolean;
}

/** Result for a part that is valid. */
export const valid = (value: unknown): Validated => ({ value, details: [], violations: 0 });

/** Result for a part with these violations, all of them listed. */
export const violated = (details: readonly ProblemDetail[]): Validated => ({
  value: undefined,
  details,
  violations: details.length,
});

const PART_NAMES = { params: 'path', query: 'query', body: 'body' } as const;
const NAME_CHARACTERS_MAX = 100;
/** Number of violations in elements of lists after which the rest is not checked. */
const VIOLATIONS_MAX = 1_000;
const SYNCHRONOUS: z.core.ParseContextInternal = { async: false };

export const pathOf = (part: InputPart, keys: readonly PropertyKey[]): string =>
  keys.reduce<string>(memberOf, PART_NAMES[part]);

function memberOf(path: string, key: PropertyKey): string {
  const name = String(key).slice(0, NAME_CHARACTERS_MAX);
  return typeof key === 'number' ? `${path}[${name}]` : `${path}.${name}`;
}

/** The library's sentence about a type, which schemas without a message of their own have. */
const TYPE_SENTENCE = /^Invalid input: expected (\w+), received (\w+)$/;

function plainMessage(message: string): string {
  const [, expected, received] = TYPE_SENTENCE.exec(message) ?? [];
  if (expected === undefined) return message;
  return received === 'undefined'
    ? `is required, of the type ${expected}`
    : `must be of the type ${expected}, not ${received}`;
}

function detailsOf(part: InputPart, issue: z.core.$ZodRawIssue, detailsMax: number): ProblemDetail[] {
  const path = pathOf(part, issue.path ?? []);
  if (issue.code === 'unrecognized_keys') {
    const keys = (issue['keys'] as readonly string[]).slice(0, detailsMax);
    return keys.map((key) => ({ path: memberOf(path, key), message: 'is not a known key' }));
  }
  const { message } = z.core.util.finalizeIssue(issue, SYNCHRONOUS, z.core.config());
  return [{ path, message: plainMessage(message) }];
}

/** Each unknown key is a violation of its own. */
const countOf = (issue: z.core.$ZodRawIssue): number =>
  issue.code === 'unrecognized_keys' ? (issue['keys'] as readonly string[]).length : 1;

/**
 * Validates one part of the input. The first `detailsMax` violations become details, others are counted, and after many the rest is not
 * checked. `safeParse` would make an object with a message of each of them: 64 KiB can have 30,000, and those objects would take longer
 * than finding the violations.
 */
export function validate(part: InputPart, schema: z.ZodType, input: unknown, detailsMax: number): Validated {
  const context: ViolationLimit = { async: false, violationsLeft: Math.max(detailsMax, VIOLATIONS_MAX) };
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  if (result.issues.length === 0) return valid(result.value);
  const issues = result.issues.filter(({ message }) => message !== NOT_CHECKED);
  const details: ProblemDetail[] = [];
  for (const issue of issues) {
    const left = detailsMax - details.length;
    if (left <= 0) break;
    details.push(...detailsOf(part, issue, left));
  }
  // Issues always mean that the value is not valid, also if all of them are elements that were not checked.
  const violations = Math.max(
    1,
    issues.reduce((sum, issue) => sum + countOf(issue), 0),
  );
  return { value: undefined, details, violations, isStopped: context.abortEarly === true };
}
