import { type Client, type Receipt, ResponseError } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import type { CommandContext } from '../context.ts';
import { CommandError, MismatchError } from '../errors.ts';
import { formatBytes, formatRows } from '../output/quantity.ts';
import { isFileOf } from '../part-file/compare-file.ts';
import { createProgressLine } from '../terminal/progress-line.ts';
import { type DoorResult, readThroughDoor } from './read-through-door.ts';

/** Time between two drawings of the progress line. */
const DRAW_MS = 100;

async function readWithProgress(
  { terminal, signal }: CommandContext,
  client: Client,
  sql: string,
): Promise<DoorResult> {
  const line = createProgressLine(terminal.stderr);
  let drawnMs = performance.now();
  try {
    return await readThroughDoor(client, sql, {
      signal,
      onPage: ({ rows, bytes }) => {
        if (performance.now() - drawnMs < DRAW_MS) return undefined;
        drawnMs = performance.now();
        return line.show([
          { text: 'reading through the Trino door', rank: 2 },
          { text: formatRows(rows), rank: 0 },
          { text: formatBytes(bytes), rank: 1 },
        ]);
      },
    });
  } finally {
    await line.clear();
  }
}

async function readReceipt(client: Client, queryId: string, signal: AbortSignal): Promise<Receipt> {
  try {
    return await client.stream.getQuery({ params: { id: queryId }, signal });
  } catch (error) {
    if (!(error instanceof ResponseError) || error.status !== 404) throw error;
    const message =
      'The statement has no receipt: the host answers statements about the session and the catalog itself. Give a query.';
    throw new CommandError(message, { cause: error });
  }
}

function describeDifference(read: DoorResult, { state, rows, bytes }: Receipt): string {
  if (state !== 'FINISHED') return `the receipt is ${state}`;
  if (read.rows !== rows) return `${formatRows(read.rows)} arrived, and the receipt has ${formatRows(rows)}`;
  if (read.bytes !== bytes) return `they have ${read.bytes} bytes, and the receipt ${bytes}`;
  return 'their SHA-256 is another one';
}

const isWhole = (read: DoorResult, receipt: Receipt): boolean =>
  receipt.state === 'FINISHED' && receipt.rows === read.rows && isFileOf(read, receipt);

/**
 * Runs a statement through the Trino door, and compares the rows that arrive with its receipt.
 * @throws MismatchError if they are not those of the receipt, and what `readThroughDoor` throws
 */
export async function verifyDoor(context: CommandContext, sql: string): Promise<void> {
  const { terminal, globals, signal } = context;
  const { client } = await context.connect();
  const read = await readWithProgress(context, client, sql);
  const receipt = await readReceipt(client, read.queryId, signal);
  const isSame = isWhole(read, receipt);
  if (globals.isJson) {
    const { queryId, rows, bytes, sha256 } = read;
    const state = isSame ? 'matches' : 'rows_changed';
    const document = { query_id: queryId, state, rows, bytes, sha256, server_receipt: receipt };
    await terminal.stdout.write(`${JSON.stringify(document)}\n`);
  }
  if (!isSame) {
    const what = `The rows that came through the Trino door are not those of the receipt of query ${read.queryId}`;
    const advice = 'Something on the way changes them: check the proxies between this computer and the host.';
    throw new MismatchError(visibleLine(`${what}: ${describeDifference(read, receipt)}. ${advice}`));
  }
  if (globals.isJson) return;
  const size = `${formatRows(read.rows)}, ${formatBytes(read.bytes)}`;
  const sentence = `The rows that came through the Trino door are whole: ${size}, as the receipt of query ${read.queryId} says.`;
  await terminal.stdout.write(`${visibleLine(sentence)}\n`);
}
