import { type Column, IncompleteResultError, type QueryProgress, type Resumption, type RowText } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { CancelledError, OutputClosedError } from '../errors.ts';
import { createResultWriter, type WriterOptions } from '../output/format-list.ts';
import { formatCount, formatRows } from '../output/quantity.ts';
import type { ResultWriter } from '../output/result-writer.ts';
import { createScreen } from '../terminal/screen.ts';
import { formatDuration } from '../times/time.ts';
import { type QueryDisplay, showQuery } from './show-query.ts';

export interface PrintOptions extends WriterOptions {
  /** Whether a long table may go to a pager. */
  readonly mayPage: boolean;
  /** Whether rows and time are written to stderr at the end. */
  readonly showsSummary: boolean;
  /** Whether the time is a part of it. */
  readonly showsTime: boolean;
}

/** Rows as they arrive. */
interface PrintedRows {
  readonly columns: PromiseLike<readonly Column[]>;
  readonly batches: () => AsyncIterable<readonly RowText[]>;
}

interface RowHooks {
  /** Ends the rows. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: QueryProgress) => void;
  readonly onResume: (resumption: Resumption) => void;
}

/** Source of rows: a query, or a kept result. */
export interface PrintSource {
  /** Begins the rows. */
  readonly open: (hooks: RowHooks) => PrintedRows;
  /** Returns the facts of a result: those behind the count of its rows, and those in lines of their own. */
  readonly summarize: () => { readonly suffix: string; readonly lines: readonly string[] };
  /** Stops the rows, after Ctrl-C or when a reader has left. Returns a sentence that says how. */
  readonly stop: (done: string) => Promise<string>;
  /** Called with a failure before it is thrown. */
  readonly onFailure?: (error: unknown) => void;
  /** State that is shown before the host reports one. */
  readonly state?: string;
}

type RowsContext = Pick<CommandContext, 'terminal' | 'environment' | 'signal'>;

const TWO_DIGITS_BELOW_MS = 10_000;

const elapsed = (ms: number): string => (ms < TWO_DIGITS_BELOW_MS ? `${(ms / 1000).toFixed(2)} s` : formatDuration(ms));

/** Rejects with the reason when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });

/** Rows that have arrived, also those of a query that failed. */
interface RowCount {
  rows: number;
}

async function writeRows(
  { columns, batches }: PrintedRows,
  writer: ResultWriter,
  display: QueryDisplay,
  count: RowCount,
) {
  await writer.begin(await columns);
  for await (const rows of batches()) {
    count.rows += rows.length;
    display.addRows(rows.length);
    await writer.write(rows);
  }
}

/** Returns why rows were stopped: after a cancellation, with what the engine confirms. */
async function explainStop(
  signal: AbortSignal,
  { stop }: PrintSource,
  { rows }: RowCount,
  finish: () => Promise<unknown>,
): Promise<unknown> {
  // Also for a reader that has left: the process ends after it.
  const stopped = stop(`after ${formatRows(rows)}`);
  await finish().catch(() => undefined);
  const sentence = await stopped;
  return signal.reason instanceof CancelledError ? new CancelledError(sentence) : signal.reason;
}

/** Lines about connections that were cut, each after the rows that had arrived. */
const cutLines = (cuts: readonly number[]): readonly string[] =>
  cuts.map((rows) => `The connection was cut after ${formatCount(rows)} rows, and the result was continued.`);

/**
 * Prints rows to stdout; their number and the time go to stderr.
 * @throws CancelledError when the stop is confirmed or 2 s have passed; SluiceError if the statement fails or its result is cut
 */
export async function printRows(context: RowsContext, source: PrintSource, print: PrintOptions): Promise<void> {
  const { terminal, environment } = context;
  const display = showQuery(terminal.stderr, source.state);
  const pagerClosed = new AbortController();
  const screen = createScreen(terminal, {
    environment,
    mayPage: print.mayPage,
    // Where stdout is a file, the progress stays until the end. What reads a pipe may write to this terminal too.
    beforeOutput: terminal.stdout.isFile ? async () => undefined : display.stop,
    onPagerClosed: () => pagerClosed.abort(new OutputClosedError('The pager was closed.')),
  });
  const writer = createResultWriter(print, terminal.stdout, screen);
  const signal = AbortSignal.any([context.signal, pagerClosed.signal]);
  const startedMs = performance.now();
  const cuts = new Set<number>();
  const onResume = ({ received }: Resumption): void => void cuts.add(received);
  const rows = source.open({ signal, onProgress: display.onProgress, onResume });
  const count: RowCount = { rows: 0 };
  const finish = async (isComplete: boolean): Promise<readonly string[]> => {
    await writer.end(isComplete);
    const notes = await screen.close();
    await display.stop();
    return notes;
  };
  const reading = writeRows(rows, writer, display, count);
  try {
    await Promise.race([reading, aborted(signal)]);
    const { suffix, lines: facts } = source.summarize();
    const time = print.showsTime ? ` in ${elapsed(performance.now() - startedMs)}` : '';
    const line = `${formatRows(count.rows)}${time}${suffix}`;
    const notes = await finish(true);
    const lines = print.showsSummary ? [line, ...notes, ...cutLines([...cuts]), ...facts] : notes;
    if (lines.length > 0) await terminal.stderr.write(`${lines.join('\n')}\n`);
  } catch (error) {
    // Both reject when the signal is aborted.
    reading.catch(() => undefined);
    if (context.signal.aborted) throw await explainStop(context.signal, source, count, () => finish(false));
    if (pagerClosed.signal.aborted && error instanceof OutputClosedError) {
      await Promise.all([screen.close(), source.stop('')]);
      return await terminal.stderr.write(`Stopped after ${formatRows(count.rows)}: the pager was closed.\n`);
    }
    await finish(false);
    source.onFailure?.(error);
    if (count.rows > 0 || error instanceof IncompleteResultError)
      await terminal.stderr.write(`incomplete after ${formatRows(count.rows)}\n`);
    throw error;
  }
}
