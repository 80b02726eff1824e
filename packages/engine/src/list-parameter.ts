import type { QueryParameter } from '@sluice/contract';

/** A parameter whose value is a list. */
type ListParameter = Extract<QueryParameter, { readonly type: { readonly name: 'array' } }>;

/** Type of one value: of a parameter, or of each item of a list. */
export type ScalarType = ListParameter['type']['item'];

// The package has the same function, but query workers start without its schemas.
export const isListParameter = (parameter: QueryParameter): parameter is ListParameter =>
  parameter.type.name === 'array';
