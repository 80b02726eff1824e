import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import {
  BOOLEAN_CELL,
  DATE_CELL,
  DATE_MARK,
  DATE_TIME_CELL,
  EMPTY_CELL,
  EPOCH_SERIAL,
  EXACT_DIGITS_MAX,
  EXACT_INTEGER_MAX,
  FIRST_SERIAL_DAY,
  NUMBER_CELL,
  type RowTemplate,
  TEXT_CELL,
} from '@sluice/encoders';
import { cellExpression } from '../src/duckdb/cells/cells.ts';
import { xlsxCellExpression } from '../src/duckdb/cells/xlsx-cells.ts';
import { checkStatement, hiddenPathsOf } from '../src/duckdb/checked-statement.ts';
import { duckDbProblem } from '../src/duckdb/errors.ts';
import { DuckDb } from '../src/duckdb/instance.ts';
import { DuckDBTypeId } from '../src/duckdb/node-api.ts';
import { querySource } from '../src/duckdb/parameters/query-source.ts';
import type { DuckDbProfile } from '../src/duckdb/profile.ts';
import type { Session } from '../src/duckdb/session/session.ts';
import { columnAlias, explainSource, type Shape, type Source, wrapSource } from '../src/duckdb/source.ts';
import { DATE_TYPES } from '../src/duckdb/typed-path/sheet-markup.ts';
import type { Engine, RenderRows, ResultEvent, Statement } from '../src/engine.ts';

/**
 * DuckDB with a plain writer, which the WebAssembly module is compared with: SQL writes each cell as text, JavaScript decides how a
 * spreadsheet stores it, and joins the cells of a materialized result. Slow, and nothing is shared with the module.
 */
export class PlainDuckDb implements Pick<Engine, 'run'>, Disposable {
  readonly #duckDb: DuckDb;

  private constructor(duckDb: DuckDb) {
    this.#duckDb = duckDb;
  }

  static async open(profile: DuckDbProfile): Promise<PlainDuckDb> {
    return new PlainDuckDb(await DuckDb.open(profile));
  }

  async *run(statement: Statement, render: RenderRows): AsyncGenerator<ResultEvent> {
    using session = await this.#duckDb.connect(statement.timeZone);
    const source = await this.#sourceOf(session, statement);
    yield { kind: 'columns', columns: source.shape.columns };
    const template = render(source.shape.columns);
    const rowsMax = statement.rowsMax ?? Number.POSITIVE_INFINITY;
    const selected = selectedCells(source.shape, template, statement.timeZone);
    const wrapped = wrapSource(source, selected.join(', '), statement.rowsMax);
    try {
      const prepared = await session.connection.prepare(wrapped.sql);
      source.bind(prepared);
      const all = await (await prepared.run()).getRows();
      const rows = all.slice(0, rowsMax);
      const text = rows.map((row) => rowText(row, source.shape, template)).join(template.separator);
      yield { kind: 'rows', rows: rows.length, bytes: Buffer.from(text) };
      yield { kind: 'end', limited: all.length > rows.length };
    } catch (thrown) {
      const hiddenPaths = hiddenPathsOf(this.#duckDb);
      throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes: wrapped.offsetBytes, hiddenPaths });
    }
  }

  async #sourceOf(session: Session, statement: Statement): Promise<Source> {
    const hiddenPaths = hiddenPathsOf(this.#duckDb);
    const checked = await checkStatement(this.#duckDb, session, statement);
    return checked.kind === 'explain'
      ? await explainSource(checked.prepared.statement, hiddenPaths)
      : await querySource(session.connection, checked, { sql: statement.sql, hiddenPaths, planningMsMax: undefined });
  }

  [Symbol.dispose](): void {
    this.#duckDb[Symbol.dispose]();
  }
}

/** SQL of the text of each column's cells. */
function selectedCells({ columns, types }: Shape, { style }: RowTemplate, timeZone: string): readonly string[] {
  return types.map((type, index) => {
    const context = { style, timeZone, column: columns[index]?.name ?? '', longStrings: 'whole' } as const;
    const alias = columnAlias(index);
    if (style.notation !== 'xlsx') return cellExpression(type, alias, context);
    return ENCLOSURES[type.typeId] === undefined
      ? xlsxCellExpression(type, alias, context)
      : cellExpression(type, alias, { ...context, style: { ...style, notation: 'csv' } });
  });
}

function rowText(row: readonly DuckDBValue[], { types }: Shape, { style, parts }: RowTemplate): string {
  return parts
    .map((part) => {
      if ('literal' in part) return part.literal;
      const [type, text] = [types[part.cell], row[part.cell]];
      if (style.notation !== 'xlsx' || type === undefined || ENCLOSURES[type.typeId] === undefined)
        return text === null ? '' : String(text);
      if (text === null) return EMPTY_CELL;
      if (style.dates === 'marked' && DATE_TYPES.has(type.typeId)) return `${DATE_MARK.open}${text}${DATE_MARK.close}`;
      return sheetCell(type, String(text));
    })
    .join('');
}

/** Writes a cell as a spreadsheet stores it, if it does so without loss, and otherwise as its exact text. */
function sheetCell(type: DuckDBType, text: string): string {
  const enclosure = ENCLOSURES[type.typeId] ?? TEXT_CELL;
  const stored = storedText(type, text);
  return stored === undefined
    ? `${TEXT_CELL.open}${text}${TEXT_CELL.close}`
    : `${enclosure.open}${stored}${enclosure.close}`;
}

function storedText(type: DuckDBType, text: string): string | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return text === 'true' ? '1' : '0';
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return Number.isFinite(Number(text)) ? text : undefined;
    case DuckDBTypeId.DECIMAL: {
      const trimmed = type.scale === 0 ? text : text.replace(/0+$/, '');
      const digits = trimmed.replace('.', '').replace(/^[-0]+/, '').length;
      const isExact = type.scale === 0 && BigInt(text) ** 2n <= BigInt(EXACT_INTEGER_MAX) ** 2n;
      return type.width <= EXACT_DIGITS_MAX || digits <= EXACT_DIGITS_MAX || isExact ? text : undefined;
    }
    case DuckDBTypeId.DATE:
      return text >= FIRST_SERIAL_DAY && COMMON_YEAR.test(text) ? `${serialOf(`${text} 00:00:00`)}` : undefined;
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_NS:
      return timestampSerial(text);
    default: {
      const value = BigInt(text);
      return value <= EXACT_INTEGER_MAX && value >= -EXACT_INTEGER_MAX ? text : undefined;
    }
  }
}

function timestampSerial(text: string): string | undefined {
  if (text < FIRST_SERIAL_DAY || !COMMON_YEAR.test(text) || !/(\.\d{3}0*|:\d\d)$/.test(text)) return undefined;
  const serial = serialOf(text.replace(/(\.\d{3})0*$/, '$1'));
  return Number.isInteger(serial) ? `${serial}.0` : `${serial}`;
}

const COMMON_YEAR = /^\d{4}-/;

const serialOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`) / 86_400_000 + EPOCH_SERIAL;

/** Types that a spreadsheet can store as something other than text. */
const ENCLOSURES: Partial<Record<DuckDBTypeId, { readonly open: string; readonly close: string }>> = {
  [DuckDBTypeId.BOOLEAN]: BOOLEAN_CELL,
  [DuckDBTypeId.DATE]: DATE_CELL,
  ...Object.fromEntries(
    [DuckDBTypeId.TIMESTAMP_S, DuckDBTypeId.TIMESTAMP_MS, DuckDBTypeId.TIMESTAMP, DuckDBTypeId.TIMESTAMP_NS].map(
      (typeId) => [typeId, DATE_TIME_CELL],
    ),
  ),
  ...Object.fromEntries(
    [
      DuckDBTypeId.TINYINT,
      DuckDBTypeId.SMALLINT,
      DuckDBTypeId.INTEGER,
      DuckDBTypeId.BIGINT,
      DuckDBTypeId.HUGEINT,
      DuckDBTypeId.UTINYINT,
      DuckDBTypeId.USMALLINT,
      DuckDBTypeId.UINTEGER,
      DuckDBTypeId.UBIGINT,
      DuckDBTypeId.UHUGEINT,
      DuckDBTypeId.FLOAT,
      DuckDBTypeId.DOUBLE,
      DuckDBTypeId.DECIMAL,
    ].map((typeId) => [typeId, NUMBER_CELL]),
  ),
};
