import type { KeptResult, QuerySummary } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { formatCount } from '../output/quantity.ts';
import { type PrintOptions, type PrintSource, printRows } from '../statement/print-rows.ts';
import { explainMissing } from './find-result.ts';

/** Rows from `from` to `to`, exclusive. */
interface RowRange {
  readonly from: number;
  readonly to: number | undefined;
}

/**
 * Prints rows of a kept result.
 * @throws CommandError if it is not kept
 */
export async function printPages(
  context: CommandContext,
  result: KeptResult,
  { from, to }: RowRange,
  print: PrintOptions,
): Promise<void> {
  const { signal } = context;
  const facts = await result.facts({ signal }).catch(explainMissing(result.id));
  const source: PrintSource = {
    open: (hooks) => ({
      columns: Promise.resolve(facts.columns),
      batches: () => result.rows({ rows: 'text', from, to, ...hooks }),
    }),
    summarize: () => ({ suffix: ` of ${formatCount(facts.rows)}`, lines: [] }),
    stop: async (done) => `Cancelled${done === '' ? '' : ` ${done}`}.`,
    state: 'Reading',
  };
  await printRows(context, source, print);
}

/**
 * Prints the rows of a kept result as they arrive, also while its query runs.
 * @param after - rows that are left out
 * @throws CommandError if it is not kept
 */
export async function printFollowed(
  context: CommandContext,
  result: KeptResult,
  after: number,
  print: PrintOptions,
): Promise<void> {
  let summary: (() => QuerySummary | undefined) | undefined;
  const source: PrintSource = {
    open: (hooks) => {
      const rows = result.follow({ rows: 'text', after, ...hooks });
      summary = () => rows.summary;
      return { columns: rows.columns.catch(explainMissing(result.id)), batches: () => rows.batches() };
    },
    summarize: () => ({ suffix: summary?.()?.limited === true ? ' (limited: more rows exist)' : '', lines: [] }),
    stop: async (done) => `Stopped${done === '' ? '' : ` ${done}`}. The query itself was not cancelled.`,
  };
  await printRows(context, source, print);
}
