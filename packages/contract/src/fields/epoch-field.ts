import { z } from 'zod';

/** A smaller number is taken as seconds: in milliseconds it would be before March 1973. */
const MILLISECONDS_FROM = 100_000_000_000;
/** The end of the year 9999. */
export const EPOCH_MAX = 253_402_300_799_999;

/** Time of a response. */
export const epochMs = z.int().describe('Epoch milliseconds');

/** Converts a time in seconds or milliseconds to epoch milliseconds. */
export const epochMilliseconds = (value: number): number => (value < MILLISECONDS_FROM ? value * 1000 : value);

/** Time of a query string, in epoch milliseconds. A value below 100,000,000,000 is taken as seconds. */
export const epochText = (name: string) => {
  const message = `${name} must be an epoch timestamp from 0 to ${EPOCH_MAX}`;
  return z
    .string({ error: ({ input }) => (input === undefined ? `${name} is required` : message) })
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value <= EPOCH_MAX, message)
    .transform(epochMilliseconds)
    .meta({ type: 'integer', minimum: 0, maximum: EPOCH_MAX, pattern: undefined });
};
