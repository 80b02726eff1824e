import type { ParameterValue } from './query.ts';

const BIGINT_MAX = 2n ** 63n - 1n;

/** Writes a bigint as a typed string, because JSON numbers of JavaScript would round it. */
const encode = (value: ParameterValue): Exclude<ParameterValue, bigint> => {
  if (typeof value !== 'bigint') return value;
  const isLarge = value > BIGINT_MAX || value < -BIGINT_MAX - 1n;
  return { type: isLarge ? 'decimal(38,0)' : 'bigint', value: String(value) };
};

/** Returns parameters as JSON can express them. */
export const encodeParameters = (
  parameters: Readonly<Record<string, ParameterValue>>,
): Record<string, Exclude<ParameterValue, bigint>> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encode(value)]));
