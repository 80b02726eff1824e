import type { Client } from '@sluice/client';
import type { Terminal } from '../terminal/terminal.ts';
import { formatTime } from '../times/time.ts';

/**
 * Writes to stderr since when records name the tables that they read: earlier records of statements are not found by them.
 * @param since - epoch milliseconds; null: no record names any
 */
export async function writeReadsSince({ stderr }: Pick<Terminal, 'stderr'>, since: number | null): Promise<void> {
  const sentence =
    since === null
      ? 'No record names the tables that its statement read yet.'
      : `Records name the tables that statements read since ${formatTime(since)}. Earlier statements are not found.`;
  await stderr.write(`${sentence}\n`);
}

interface ReadsFilter {
  /** Filter by a table that was read. Undefined: nothing is written. */
  readonly reads: string | undefined;
  readonly signal: AbortSignal;
}

/** Writes the same for a request whose response does not say it. A search of no records does, and is itself recorded. */
export async function lookUpReadsSince(
  { api }: Pick<Client, 'api'>,
  terminal: Pick<Terminal, 'stderr'>,
  { reads, signal }: ReadsFilter,
): Promise<void> {
  if (reads === undefined) return;
  const body = { advance_options: { reads }, start: Date.now(), size: 1 };
  const { reads_since: since } = await api.searchAuditLogs({ body, signal });
  if (since !== undefined) await writeReadsSince(terminal, since);
}
