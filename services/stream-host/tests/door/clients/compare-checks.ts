import { isDeepStrictEqual } from 'node:util';
import type { ClientCheck } from './client-check.ts';

/** Outcomes of the checks with Trino itself, by their names. `fails`: the client cannot do it with Trino either. */
export type ExpectedChecks = Readonly<Record<string, { readonly value: unknown } | { readonly fails: unknown }>>;

/** A check that a door answers differently than Trino. */
export type ListedDifference = ExpectedChecks[string] & {
  /** Reason, for people. */
  readonly why: string;
};

const outcomeOf = ({ ok, value }: ClientCheck): ExpectedChecks[string] => (ok ? { value } : { fails: value });

export const expectedOf = (checks: readonly ClientCheck[]): ExpectedChecks =>
  Object.fromEntries(checks.map((check) => [check.check, outcomeOf(check)]));

const TEXT_MAX = 400;
const show = (outcome: unknown): string => JSON.stringify(outcome).slice(0, TEXT_MAX);

/** Returns how a check that ran differs from what is expected, as a sentence. Undefined: it does not. */
function findProblem(
  name: string,
  actual: ExpectedChecks[string],
  expected: ExpectedChecks[string],
  listed: ListedDifference | undefined,
): string | undefined {
  const isEqual = isDeepStrictEqual(actual, expected);
  if (listed === undefined) {
    return isEqual ? undefined : `${name}: ${show(actual)} instead of ${show(expected)}.`;
  }
  const { why: _, ...difference } = listed;
  if (isEqual) return `${name} is listed as different, and no longer is.`;
  return isDeepStrictEqual(actual, difference)
    ? undefined
    : `${name}: ${show(actual)} instead of the listed ${show(difference)}.`;
}

interface Comparison {
  readonly expected: ExpectedChecks;
  readonly differences?: Readonly<Record<string, ListedDifference>>;
}

/** Compares the checks of a client with those of Trino. Returns a sentence for each that differs and is not listed, and for each listed one that does not. */
export function compareChecks(
  checks: readonly ClientCheck[],
  { expected, differences = {} }: Comparison,
): readonly string[] {
  const actual = expectedOf(checks);
  const names = checks.map(({ check }) => check);
  const doubled = names.filter((name, index) => names.indexOf(name) !== index);
  const unknown = Object.keys(differences).filter((name) => expected[name] === undefined);
  const compared = [...new Set([...Object.keys(expected), ...names])].map((name) => {
    const [ran, known] = [actual[name], expected[name]];
    if (ran === undefined) return `${name} did not run.`;
    if (known === undefined) return `${name} is not among the expected checks: it gave ${show(ran)}.`;
    return findProblem(name, ran, known, differences[name]);
  });
  return [
    ...doubled.map((name) => `${name} is the name of two checks.`),
    ...unknown.map((name) => `${name} is listed as different, and there is no such check.`),
    ...compared.filter((problem) => problem !== undefined),
  ];
}

/** Returns the list of differences as a run found it. Reasons of those that stay are kept; new ones have none. */
export function listDifferences(
  checks: readonly ClientCheck[],
  { expected, differences = {} }: Comparison,
): Readonly<Record<string, ListedDifference>> {
  const different = checks.filter((check) => !isDeepStrictEqual(outcomeOf(check), expected[check.check]));
  return Object.fromEntries(
    different.map((check) => [check.check, { why: differences[check.check]?.why ?? '', ...outcomeOf(check) }]),
  );
}
