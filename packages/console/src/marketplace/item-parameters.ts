import type { MarketItem } from './access-state.ts';

/** A parameter that the datamaps of an item declare. */
export type DeclaredParameter = MarketItem['queries'][number]['parameters'][number];

/** Typed values by name of the parameter. */
export type ParameterInput = Readonly<Record<string, string>>;

/** Returns the parameters of all queries of an item, each name once: a value goes to every query that declares the name. */
export function parametersOf({ queries }: Pick<MarketItem, 'queries'>): readonly DeclaredParameter[] {
  const declared = new Map<string, DeclaredParameter>();
  for (const each of queries.flatMap(({ parameters }) => parameters)) {
    const before = declared.get(each.name);
    // It must be sent if one query requires it.
    if (before === undefined || (each.required && !before.required)) declared.set(each.name, each);
  }
  return [...declared.values()];
}

/** Returns the values to send. An empty field is not sent, so the host uses the default. */
export const givenValues = (declared: readonly DeclaredParameter[], input: ParameterInput): ParameterInput =>
  Object.fromEntries(
    declared.flatMap(({ name }) => (input[name] === undefined || input[name] === '' ? [] : [[name, input[name]]])),
  );

/** Returns the names of the parameters that need a value and have none. */
export const missingParameters = (declared: readonly DeclaredParameter[], input: ParameterInput): readonly string[] =>
  declared.filter(({ name, required }) => required && (input[name] ?? '') === '').map(({ name }) => name);

/** Returns a value of a declaration as its field shows it. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
