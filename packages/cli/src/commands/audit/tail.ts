import { SluiceError } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { RECORD_OPTIONS, readFilters } from '../../audit-log/filter-options.ts';
import { lookUpReadsSince } from '../../audit-log/reads-since.ts';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { idleTimeoutMs } from '../../profiles/idle-timeout.ts';
import { formatTime } from '../../times/time.ts';

interface SealedRecord {
  readonly timestamp: number;
  readonly user: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: unknown;
}

function parseRecord(text: string): SealedRecord {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === 'object' && record !== null && typeof Reflect.get(record, 'timestamp') === 'number')
      return record as SealedRecord;
  } catch {
    // It is not JSON.
  }
  throw new CommandError(
    "The server's answer is not valid: a record of the audit log is not an object with a timestamp.",
  );
}

/**
 * Returns a followed record as one line for people.
 * @param text - the record as a line of an export
 */
function followLine(sequence: number, text: string): string {
  const { timestamp, user, action, target, metadata } = parseRecord(text);
  return [sequence, formatTime(timestamp), user, action, target, JSON.stringify(metadata)].join('  ');
}

/** Largest position that the API takes. */
const SEQUENCE_MAX = 999_999_999_999_999;

const describeEnd = (error: unknown): string =>
  error instanceof SluiceError ? visibleLine(error.message) : 'The host ended the stream.';

export const auditTail = defineCommand({
  name: 'audit tail',
  summary: 'Follow the audit log: print each record when it is sealed',
  description: [
    'Records are sealed every second. Each is printed once and in order, also when the connection is cut, the host restarts or the access token expires: the stream is then opened again after the last record, which stderr says. Every connection is itself recorded.',
    'On a terminal, one line per record with its position, cut to the width of the window. In a pipe and with --json, the whole record as one JSON object per line, as `sluice audit export` writes it.',
    'With --reads, stderr says since when records name the tables that they read, for which a search is sent.',
    'Ends with Ctrl-C (exit code 130), after --limit records (0), when the login has ended (4), or when the permission has (1).',
  ].join('\n\n'),
  arguments: {},
  options: {
    after: {
      kind: 'integer',
      value: 'SEQUENCE',
      min: 0,
      max: SEQUENCE_MAX,
      meaning: 'Begin after this position; 0 begins with the first record. Default: what is sealed from now on.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, meaning: 'End after this many records.' },
    ...RECORD_OPTIONS,
  },
  examples: [
    { command: 'audit tail', does: 'shows what happens from now on', notRun: 'it ends with Ctrl-C' },
    { command: 'audit tail --after 0 --limit 3', does: 'prints the first three records of the log' },
    {
      command: 'audit tail --action LOGIN_FAILED,ACCESS_DENIED',
      does: 'shows what is rejected from now on',
      notRun: 'it ends with Ctrl-C',
    },
  ],
  routes: ['GET /audits/logs/stream', 'POST /audits/logs/search'],
  run: async ({ terminal, environment, globals, connect, signal }, { options }) => {
    const { after, limit } = options;
    const { stdout, stderr } = terminal;
    const isForPeople = stdout.isTerminal && !globals.isJson;
    // In JSON, the escapes of a terminal mean the same characters.
    const shown = stdout.isTerminal ? visibleLine : (text: string): string => text;
    const idleLimit = idleTimeoutMs(environment);
    // Widths of all scripts take time to load.
    const { fitLine } = await import('../../terminal/display-width.ts');
    // The last column stays free: some terminals wrap when it is written.
    const fit = (line: string): string => fitLine(line, Math.max(1, stdout.columns - 1)).text;
    const { client } = await connect();
    await lookUpReadsSince(client, terminal, { reads: options.reads, signal });
    const records = client.audit.follow({
      after,
      filters: readFilters(options),
      signal,
      ...(idleLimit === undefined ? {} : { idleTimeoutMs: idleLimit }),
      onReconnect: (error) => {
        stderr.write(`${describeEnd(error)} Connecting again.\n`).catch(() => undefined);
      },
    });
    let written = 0;
    for await (const { sequence, text } of records) {
      await stdout.write(`${isForPeople ? fit(followLine(sequence, text)) : shown(text)}\n`);
      written += 1;
      if (written === limit) return;
    }
  },
});
