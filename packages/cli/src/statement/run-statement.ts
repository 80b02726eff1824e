import {
  type Client,
  IncompleteResultError,
  type ParameterValue,
  type Query,
  type QueryProgress,
  type RowText,
} from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { CancelledError, OutputClosedError } from '../errors.ts';
import { createResultWriter, type WriterOptions } from '../output/format-list.ts';
import { formatClock, formatCount, formatRows } from '../output/quantity.ts';
import type { ResultWriter } from '../output/result-writer.ts';
import { noteStatement } from '../output/sql-excerpt.ts';
import { createProgressLine } from '../terminal/progress-line.ts';
import { createScreen } from '../terminal/screen.ts';
import type { Output } from '../terminal/terminal.ts';
import { formatDuration } from '../times/time.ts';
import { confirmCancel } from './confirm-cancel.ts';

const REDRAW_MS = 200;
/** State before the host has reported one. */
const WAITING = 'Waiting';

/** Live progress of a query on stderr. */
export interface QueryDisplay {
  readonly onProgress: (progress: QueryProgress) => void;
  readonly addRows: (count: number) => void;
  /** Removes the line for good. */
  readonly stop: () => Promise<void>;
}

/** Shows state, rows, rate and time of a query until `stop`. Nothing is shown where there is no terminal. */
export function showQuery(output: Output): QueryDisplay {
  const line = createProgressLine(output);
  const startedMs = performance.now();
  let [state, rows, splits, isStopped] = [WAITING, 0, '', false];
  const draw = (): void => {
    const elapsedMs = performance.now() - startedMs;
    const rate = Math.round((rows * 1000) / Math.max(elapsedMs, 1));
    void line
      .show([
        { text: state, rank: 3 },
        // Before the statement runs, rows and a rate of 0 say nothing.
        ...(state === WAITING
          ? []
          : [
              { text: formatRows(rows), rank: 0 },
              { text: `${formatCount(rate)} rows/s`, rank: 2 },
            ]),
        ...(splits === '' ? [] : [{ text: splits, rank: 4 }]),
        { text: formatClock(elapsedMs), rank: 1 },
      ])
      .catch(() => undefined);
  };
  const timer = output.isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    onProgress: (progress) => {
      state = `${progress.state.charAt(0)}${progress.state.slice(1).toLowerCase()}`;
      splits = progress.splitsTotal === null ? '' : `${progress.splitsDone ?? 0}/${progress.splitsTotal} splits`;
    },
    addRows: (count) => {
      rows += count;
    },
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      await line.clear();
    },
  };
}

export interface StatementInput {
  readonly sql: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined;
  readonly size?: number | undefined;
  readonly timeZone?: string | undefined;
}

export interface PrintOptions extends WriterOptions {
  /** Whether a long table may go to a pager. */
  readonly mayPage: boolean;
  /** Whether rows and time are written to stderr at the end. */
  readonly showsSummary: boolean;
  /** Whether the time is a part of it. */
  readonly showsTime: boolean;
}

type RunContext = Pick<CommandContext, 'terminal' | 'environment' | 'signal'> & { readonly client: Client };

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

async function printRows(query: Query<RowText>, writer: ResultWriter, display: QueryDisplay, count: RowCount) {
  await writer.begin(await query.columns);
  for await (const rows of query.batches()) {
    count.rows += rows.length;
    display.addRows(rows.length);
    await writer.write(rows);
  }
}

const idOf = (query: Query<RowText>): Promise<string | undefined> => query.id.catch(() => undefined);

/** Returns why a query was stopped: after a cancellation, with what the engine confirms. */
async function explainStop(
  { client, signal }: RunContext,
  query: Query<RowText>,
  { rows }: RowCount,
  finish: () => Promise<unknown>,
): Promise<unknown> {
  // Also for a reader that has left: the process ends after it.
  const stopped = confirmCancel(client, idOf(query), `after ${formatRows(rows)}`);
  await finish().catch(() => undefined);
  const sentence = await stopped;
  return signal.reason instanceof CancelledError ? new CancelledError(sentence) : signal.reason;
}

/**
 * Runs a statement and prints its rows to stdout; rows and time go to stderr.
 * @throws CancelledError when the engine has confirmed it or 2 s have passed; SluiceError if the statement fails or its result is cut
 */
export async function runStatement(context: RunContext, input: StatementInput, print: PrintOptions): Promise<void> {
  const { client, terminal, environment } = context;
  const display = showQuery(terminal.stderr);
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
  const { sql, parameters, size, timeZone } = input;
  const query = client.query(sql, {
    rows: 'text',
    signal,
    onProgress: display.onProgress,
    ...(parameters === undefined ? {} : { parameters }),
    ...(size === undefined ? {} : { size }),
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const count: RowCount = { rows: 0 };
  const finish = async (isComplete: boolean): Promise<readonly string[]> => {
    await writer.end(isComplete);
    const notes = await screen.close();
    await display.stop();
    return notes;
  };
  const reading = printRows(query, writer, display, count);
  try {
    await Promise.race([reading, aborted(signal)]);
    const summary = query.summary?.limited ? ' (limited: more rows exist)' : '';
    const time = print.showsTime ? ` in ${elapsed(performance.now() - startedMs)}` : '';
    const line = `${formatRows(count.rows)}${time}${summary}`;
    const notes = await finish(true);
    const lines = print.showsSummary ? [line, ...notes] : notes;
    if (lines.length > 0) await terminal.stderr.write(`${lines.join('\n')}\n`);
  } catch (error) {
    // Both reject when the signal is aborted.
    reading.catch(() => undefined);
    if (context.signal.aborted) throw await explainStop(context, query, count, () => finish(false));
    if (pagerClosed.signal.aborted && error instanceof OutputClosedError) {
      await Promise.all([screen.close(), confirmCancel(client, idOf(query), '')]);
      return await terminal.stderr.write(`Stopped after ${formatRows(count.rows)}: the pager was closed.\n`);
    }
    await finish(false);
    noteStatement(error, sql);
    if (count.rows > 0 || error instanceof IncompleteResultError)
      await terminal.stderr.write(`incomplete after ${formatRows(count.rows)}\n`);
    throw error;
  }
}
