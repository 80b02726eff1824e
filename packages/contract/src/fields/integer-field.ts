import { z } from 'zod';

interface IntegerOptions {
  readonly min: number;
  /** Default: the largest integer that a double represents exactly. */
  readonly max?: number;
  /** Messages, each appended to the name. Default: `must be an integer`, `must be at least ...` and `must be at most ...`. */
  readonly type?: string;
  readonly tooSmall?: string;
  readonly tooLarge?: string;
}

/**
 * Integer of a body. Zod reports a number beyond 2^53 as unsafe before it compares bounds; here such a number, and one with too
 * many digits for a double, gets the message that names the bound.
 */
export function integerField(name: string, options: IntegerOptions) {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  const messages = {
    type: `${name} ${options.type ?? 'must be an integer'}`,
    tooSmall: `${name} ${options.tooSmall ?? `must be at least ${min}`}`,
    tooLarge: `${name} ${options.tooLarge ?? `must be at most ${max}`}`,
  };
  return z
    .int({
      abort: true,
      error: ({ code, input }) => {
        if (code === 'too_big' || input === Number.POSITIVE_INFINITY) return messages.tooLarge;
        return code === 'too_small' || input === Number.NEGATIVE_INFINITY ? messages.tooSmall : messages.type;
      },
    })
    .min(min, messages.tooSmall)
    .max(max, messages.tooLarge);
}

const DIGITS_MAX = 9;

/** Integer of a query string. */
export const integerText = (name: string, { min, max }: { readonly min: number; readonly max: number }) => {
  const range = `${name} must be from ${min} to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${DIGITS_MAX}}$`), {
      error: ({ input }) => (/^-?\d+$/.test(String(input)) ? range : `${name} must be a whole number`),
    })
    .transform(Number)
    .refine((value) => value >= min && value <= max, range)
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });
};
