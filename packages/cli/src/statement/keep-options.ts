import { UsageError } from '../errors.ts';

const DURATION = /^[1-9]\d{0,4}[smhd]$/;

/** `--keep` of the commands that run a statement. */
export const KEEP_OPTION = {
  kind: 'text',
  value: 'TIME',
  meaning:
    'Keep the result for this long after its end (30m, 24h, 7d; at most what the tenant allows), to read it again with `sluice result`. If the connection is cut, the rest is read from it.',
} as const;

/** `--reuse`. */
export const REUSE_OPTION = {
  kind: 'text',
  value: 'TIME',
  meaning:
    'Print a kept result of yours instead, if it has the same statement, parameters, options and time zone and is not older than this, such as 15m.',
} as const;

/**
 * Returns the duration of an option as hosts take it.
 * @throws UsageError if it has another form
 */
export function requireDuration(option: string, text: string | undefined): string | undefined {
  if (text === undefined || DURATION.test(text)) return text;
  throw new UsageError(`${option} must be a duration such as 30m, 24h or 7d, not "${text}".`);
}
