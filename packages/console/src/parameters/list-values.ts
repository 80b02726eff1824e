/** Returns the type of the items of a type of lists, such as `bigint` of `array(bigint)`. Undefined: it is not one. */
export const listItemType = (type: string): string | undefined => /^array\((.*)\)$/.exec(type)?.[1];

/** Returns the items of a list, one in each line. Empty lines are left out. */
export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Values of parameters as a link has them, by name without `$`: several for a list. */
export type LinkParameters = Readonly<Record<string, string | readonly string[]>>;

/** Returns the query string of a link, which repeats the name of a list for each item. */
export const linkQuery = (parameters: LinkParameters): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => [value].flat().map((each) => [`p.${name}`, each])),
  ).toString();
