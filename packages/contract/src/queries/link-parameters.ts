import { z } from 'zod';
import { PARAMETERS_MAX } from './query-parameters.ts';

/** Begins the name of a parameter in the query string of a link: `p.region=EU`. */
export const LINK_PARAMETER_PREFIX = 'p.';

/** Strings of each parameter of a link by name without `p.`: several for a list, as in `p.id=1&p.id=2`. */
export type LinkParameters = Readonly<Record<string, readonly string[]>>;

/**
 * Query string of a link: the given keys, and `p.<name>` for parameters of the SQL. The use-case checks their names and values against
 * the declarations.
 */
export const linkQuery = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    // Optional, because TypeScript needs the type of optional keys to be part of that of all keys.
    .catchall(z.union([z.string(), z.array(z.string())]).optional())
    .superRefine((given, context) => {
      const others = Object.keys(given).filter((key) => !Object.hasOwn(shape, key));
      const keys = others.filter((key) => !key.startsWith(LINK_PARAMETER_PREFIX));
      if (keys.length > 0) context.issues.push({ code: 'unrecognized_keys', keys, input: given });
      if (others.length - keys.length <= PARAMETERS_MAX) return;
      const message = `must hold at most ${PARAMETERS_MAX} parameters`;
      context.issues.push({ code: 'custom', message, path: ['p'], input: given });
    });

/** Returns the strings of the parameters in a query string. */
export const linkParameters = (query: Readonly<Record<string, unknown>>): LinkParameters =>
  Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) =>
      key.startsWith(LINK_PARAMETER_PREFIX) && value !== undefined
        ? [[key.slice(LINK_PARAMETER_PREFIX.length), [value].flat() as string[]]]
        : [],
    ),
  );
