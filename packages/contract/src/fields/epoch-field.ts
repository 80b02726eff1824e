import { z } from 'zod';

/** A smaller number is most likely one of seconds: in milliseconds it would be before March 1973. */
export const EPOCH_MIN = 100_000_000_000;
/** The end of the year 9999. */
export const EPOCH_MAX = 253_402_300_799_999;

/** Ending of the message for a smaller number. */
export const MILLISECONDS_EXPECTED = `must be at least ${EPOCH_MIN}: milliseconds expected`;

/** Time of a response. */
export const epochMs = z.int().describe('Epoch milliseconds');

/** Time of a query string, in epoch milliseconds. */
export const epochText = (name: string) => {
  const message = `${name} must be an epoch timestamp from ${EPOCH_MIN} to ${EPOCH_MAX}`;
  return z
    .string({ error: ({ input }) => (input === undefined ? `${name} is required` : message) })
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= EPOCH_MIN, `${name} ${MILLISECONDS_EXPECTED}`)
    .refine((value) => value <= EPOCH_MAX, message)
    .meta({ type: 'integer', minimum: EPOCH_MIN, maximum: EPOCH_MAX, pattern: undefined });
};
