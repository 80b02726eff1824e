import { FILE_COLUMNS, REPORT_MEMBERS } from '@sluice/contract';
import { type CsvRow, FileFault, readList, readText } from '@sluice/contract/metadata-files';
import type { RawObject } from './check-object.ts';

type Column = (typeof FILE_COLUMNS)[number];
/** Cells of a row by column. A missing column has empty cells. */
type Cells = Readonly<Record<Column, string>>;

/** A wide object continues in a second one, because an object has a limited number of fields. */
const FIELDS_MAX = 2000;

const isColumn = (name: string): name is Column => FILE_COLUMNS.some((column) => column === name);
const isKnown = (name: string): boolean => isColumn(name) || REPORT_MEMBERS.some((member) => member === name);

/** Returns whether all cells of a row are empty, as in the rows that spreadsheets leave behind. */
export const isEmptyRow = ({ cells }: CsvRow): boolean => cells.every((cell) => cell.trim() === '');

/**
 * Returns the columns of a file, without empty ones at the end, which spreadsheets leave behind. Throws a FileFault for a header that no
 * import can read.
 */
export function readHeader({ line, cells }: CsvRow): readonly string[] {
  const trimmed = cells.map((cell) => cell.trim());
  const names = trimmed.slice(0, trimmed.findLastIndex((name) => name !== '') + 1);
  const unknown = names.filter((name) => !isKnown(name));
  const expected = `the columns of a file are ${FILE_COLUMNS.join(',')}`;
  const path = `line ${line}`;
  if (unknown.length > 0) throw new FileFault(path, `has an unknown column ${JSON.stringify(unknown[0])}; ${expected}`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new FileFault(path, `has the column ${repeated} twice; ${expected}`);
  const missing = ['type', 'id'].find((name) => !names.includes(name));
  if (missing !== undefined) throw new FileFault(path, `has no column ${missing}; ${expected}`);
  return names;
}

interface Group {
  readonly type: string;
  readonly id: string;
  readonly line: number;
  readonly own: Record<string, unknown>;
  readonly fields: Record<string, unknown>[];
  readonly fieldLines: number[];
  /** Fields of all rows of the object; the empty name is the object itself. */
  readonly names: Set<string>;
}

/**
 * Builds objects from rows. Consecutive rows of one type and id are one object. In a report, whose rows may be next to others of the same
 * id once they are corrected, a row with a `line` starts an object.
 */
export class CsvObjects {
  readonly #columns: readonly string[];
  #group: Group | undefined;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  /** Adds a row. Yields the object before it, if the row starts another one. Throws a FileFault for a broken row. */
  *add(row: CsvRow): Generator<RawObject> {
    const cells = this.#cellsOf(row);
    const startsObject = (row.cells[this.#columns.indexOf('line')] ?? '') !== '';
    const isSame = !startsObject && this.#group?.type === cells.type && this.#group.id === cells.id;
    if (!isSame) yield* this.end();
    const group = isSame ? this.#group : undefined;
    const isFull = group !== undefined && group.fields.length >= FIELDS_MAX;
    if (isFull) yield* this.end();
    this.#group ??= {
      type: cells.type,
      id: cells.id,
      line: row.line,
      own: {},
      fields: [],
      fieldLines: [],
      names: group?.names ?? new Set(),
    };
    addRow(this.#group, row.line, cells);
  }

  *end(): Generator<RawObject> {
    const group = this.#group;
    this.#group = undefined;
    if (group === undefined) return;
    const { type, id, own, fields, fieldLines, line } = group;
    const value = { type, id, ...own, ...(fields.length > 0 ? { fields } : {}) };
    yield {
      line,
      value,
      locate: ([first, index, ...more]) =>
        first === 'fields' && typeof index === 'number'
          ? { line: fieldLines[index] ?? line, keys: more }
          : { line, keys: index === undefined ? [first ?? ''] : [first ?? '', index, ...more] },
    };
  }

  #cellsOf({ line, cells: all }: CsvRow): Cells {
    const count = this.#columns.length;
    const cells = all.slice(count).every((cell) => cell.trim() === '') ? all.slice(0, count) : all;
    if (cells.length !== count) {
      const message = `has ${cells.length} cells, and the header has ${count} columns`;
      throw new FileFault(`line ${line}`, `${message}; put a cell with a comma or line break in quotes`);
    }
    const byName = new Map(this.#columns.map((name, index) => [name, cells[index] ?? '']));
    return Object.fromEntries(FILE_COLUMNS.map((name) => [name, byName.get(name) ?? ''])) as Cells;
  }
}

function addRow(group: Group, line: number, cells: Cells): void {
  const { field } = cells;
  if (group.names.has(field)) {
    const what = field === '' ? 'the object' : `the field ${JSON.stringify(field)}`;
    throw new FileFault(`line ${line}`, `is a second row of ${what}; keep one of the two`);
  }
  group.names.add(field);
  if (field === '') {
    Object.assign(group.own, described(line, cells), {
      ...ifGiven('display_name', readText(cells.display_name)),
      ...ifGiven('domains', readListCell(line, 'domains', cells)),
      ...ifGiven('domain_ids', readListCell(line, 'domain_ids', cells)),
    });
    return;
  }
  for (const column of ['display_name', 'domains', 'domain_ids'] as const) {
    if (cells[column] !== '') {
      throw new FileFault(
        `line ${line}, ${column}`,
        'must be empty, because the row has a field; only an object has it',
      );
    }
  }
  group.fields.push({ name: field, ...described(line, cells) });
  group.fieldLines.push(line);
}

const ifGiven = (name: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [name]: value };

const described = (line: number, cells: Cells): Record<string, unknown> => ({
  ...ifGiven('description', readText(cells.description)),
  ...ifGiven('tags', readListCell(line, 'tags', cells)),
});

function readListCell(
  line: number,
  column: 'tags' | 'domains' | 'domain_ids',
  cells: Cells,
): readonly string[] | undefined {
  const list = readList(cells[column]);
  if (list !== undefined && 'fault' in list) throw new FileFault(`line ${line}, ${column}`, list.fault);
  return list;
}
