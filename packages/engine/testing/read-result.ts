import type { Column, QueryParameter } from '@sluice/contract';
import { createFormat, type FormatSpec } from '@sluice/encoders';
import type { Engine } from '../src/engine.ts';
import { checkJsonRows } from './check-json-rows.ts';

export interface ReadOptions {
  readonly format: Partial<FormatSpec> & Pick<FormatSpec, 'name'>;
  readonly parameters?: readonly QueryParameter[];
  readonly timeZone?: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly rowsMax?: number;
  readonly signal?: AbortSignal;
}

/** A complete result as a client gets it. */
export interface TextResult {
  readonly columns: readonly Column[];
  /** Head and rows, without the closing bytes that a host adds. */
  readonly body: string;
  /** Bytes of the rows only. */
  readonly rowsText: string;
  readonly rows: number;
  readonly limited: boolean;
  /** Kinds of the events, in order. */
  readonly kinds: readonly string[];
}

export const formatSpec = (format: ReadOptions['format']): FormatSpec => ({
  bigNumbers: 'number',
  formulas: 'keep',
  progress: 'hidden',
  ...format,
});

const JSON_FORMATS: ReadonlySet<string> = new Set(['json', 'ndjson', 'sse']);

/** Runs a statement to its end. Throws what the engine throws, if the result has no `end`, and if a row is not the JSON that it must be. */
export async function readResult(engine: Pick<Engine, 'run'>, sql: string, options: ReadOptions): Promise<TextResult> {
  const format = createFormat(formatSpec(options.format));
  const statement = {
    sql,
    parameters: options.parameters,
    queryId: '00000000-0000-4000-8000-000000000000',
    user: 'reader@acme.example',
    timeZone: options.timeZone ?? 'UTC',
    catalog: options.catalog,
    schema: options.schema,
    rowsMax: options.rowsMax,
  };
  const kinds: string[] = [];
  const chunks: Uint8Array[] = [];
  let columns: readonly Column[] = [];
  let rows = 0;
  let limited: boolean | undefined;
  const signal = options.signal ?? new AbortController().signal;
  for await (const event of engine.run(statement, (named) => format.row(named), signal)) {
    kinds.push(event.kind);
    if (event.kind === 'columns') columns = event.columns;
    else if (event.kind === 'end') limited = event.limited;
    else {
      rows += event.rows;
      chunks.push(event.bytes);
    }
  }
  if (limited === undefined) throw new Error('The result ended without its end event');
  const rowsText = Buffer.concat(chunks).toString('utf8');
  if (JSON_FORMATS.has(options.format.name)) checkJsonRows(rowsText);
  return { columns, body: format.head(columns) + rowsText, rowsText, rows, limited, kinds };
}
