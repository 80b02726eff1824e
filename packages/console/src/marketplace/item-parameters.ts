import { type LinkParameters, linesOf, listItemType } from '../parameters/list-values.ts';
import type { MarketItem } from './access-state.ts';

/** A parameter that the datamaps of an item declare. */
export type DeclaredParameter = MarketItem['queries'][number]['parameters'][number];

/** Typed text by name of the parameter. A list has one item in each line. */
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

export const isList = ({ type }: DeclaredParameter): boolean => listItemType(type) !== undefined;

/** Returns the values to send. An empty field is not sent, so the host uses the default. */
export const givenValues = (declared: readonly DeclaredParameter[], input: ParameterInput): LinkParameters =>
  Object.fromEntries(
    declared.flatMap((parameter) => {
      const { [parameter.name]: text = '' } = input;
      const value = isList(parameter) ? linesOf(text) : text;
      return value.length === 0 ? [] : [[parameter.name, value]];
    }),
  );

/** Returns the names of the parameters that need a value and have none. */
export function missingParameters(declared: readonly DeclaredParameter[], input: ParameterInput): readonly string[] {
  const given = givenValues(declared, input);
  return declared.filter(({ name, required }) => required && given[name] === undefined).map(({ name }) => name);
}

/** Returns a value of a declaration as its field shows it. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
