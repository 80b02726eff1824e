import type { Client, ParameterValue, Query, QuerySummary, RowText } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { noteStatement } from '../output/sql-excerpt.ts';
import { formatFutureTime, formatTime } from '../times/time.ts';
import { confirmCancel } from './confirm-cancel.ts';
import { type PrintOptions, printRows } from './print-rows.ts';

export interface StatementInput {
  readonly sql: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined;
  readonly size?: number | undefined;
  readonly timeZone?: string | undefined;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** Time for which the result is kept, such as `24h`. */
  readonly keep?: string | undefined;
  /** Age of a kept result that may be printed instead. */
  readonly reuse?: string | undefined;
}

type RunContext = Pick<CommandContext, 'terminal' | 'environment' | 'signal'> & { readonly client: Client };

const idOf = (query: Query<RowText> | undefined): Promise<string | undefined> =>
  query?.id.catch(() => undefined) ?? Promise.resolve(undefined);

/** Lines about a result that is kept, or was. */
function keptLines({ queryId, keptUntil, notKept, asOf }: QuerySummary): readonly string[] {
  const lines: string[] = [];
  if (asOf !== undefined) lines.push(`The result is that of query ${queryId}, which ran at ${formatTime(asOf)}.`);
  if (keptUntil !== undefined)
    lines.push(`Kept until ${formatFutureTime(keptUntil, Date.now())}. See \`sluice result show ${queryId}\`.`);
  if (notKept !== undefined) lines.push(`The result was not kept: ${notKept}`);
  return lines;
}

const given = <Options extends object>(options: Options): { [Name in keyof Options]: NonNullable<Options[Name]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

/**
 * Runs a statement and prints its rows to stdout; rows and time go to stderr.
 * @throws CancelledError when the engine has confirmed it or 2 s have passed; SluiceError if the statement fails or its result is cut
 */
export async function runStatement(context: RunContext, input: StatementInput, print: PrintOptions): Promise<void> {
  const { client } = context;
  const { sql, ...options } = input;
  let query: Query<RowText> | undefined;
  await printRows(
    context,
    {
      open: (hooks) => {
        const opened = client.query(sql, { rows: 'text', ...hooks, ...given(options) });
        query = opened;
        return { columns: opened.columns, batches: () => opened.batches() };
      },
      summarize: () => ({
        suffix: query?.summary?.limited ? ' (limited: more rows exist)' : '',
        lines: query?.summary === undefined ? [] : keptLines(query.summary),
      }),
      stop: (done) => confirmCancel(client, idOf(query), done),
      onFailure: (error) => noteStatement(error, sql),
    },
    print,
  );
}
