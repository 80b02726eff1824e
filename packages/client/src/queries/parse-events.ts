import type { StreamEvent } from '../contract-types.ts';
import { createRowSplitter, type RowText } from './split-row.ts';

/** A row: the values by column name. */
export type Row = Record<string, unknown>;

type OtherEvent = Exclude<StreamEvent, { type: 'row' }>;
/** Consecutive rows, or one event that is not a row. */
export type ParsedPart<R = Row> = { readonly rows: R[] } | { readonly event: OtherEvent };

/** Beginning of the event of a row, as hosts write it. */
const ROW_START = 'data: {"type":"row","data":';
const ROW_END = '}\n\n';
const BETWEEN_ROWS = `${ROW_END}${ROW_START}`;

/** Line with the number of a row before its event, in a stream that can be continued. Without an event, it only has a position. */
const ID_LINE = /(^|\n)id: ?(\d{1,15})\n(\n?)/g;
const FIRST_ID_LINE = /^id: ?\d{1,15}\n/;

/** Returns whether text is the beginning of the event of a row. */
export const startsRow = (text: string): boolean => text.replace(FIRST_ID_LINE, '').startsWith(ROW_START);

/**
 * Returns a block without its numbers, and the number of its first row; undefined if rows have none. JSON text has no line feed, so a line
 * of this form cannot be part of a value.
 */
export function takeIds(block: string): { readonly block: string; readonly firstId: number | undefined } {
  if (!block.startsWith('id:') && !block.includes('\nid:')) return { block, firstId: undefined };
  let firstId: number | undefined;
  const without = block.replaceAll(ID_LINE, (line: string, before: string, id: string, _blank, at: number) => {
    if (firstId === undefined && block.startsWith(ROW_START, at + line.length)) firstId = Number(id);
    return before;
  });
  return { block: without, firstId };
}

/**
 * Parses a block that has only rows: their JSON becomes the elements of one array. Returns undefined for any other block. JSON text has
 * no line feed, so the separator cannot be part of a value, and the braces of any other event would not balance.
 */
function parseRows(block: string): Row[] | undefined {
  if (!block.startsWith(ROW_START) || !block.endsWith(ROW_END)) return undefined;
  const rows = block.slice(ROW_START.length, -ROW_END.length).replaceAll(BETWEEN_ROWS, ',');
  try {
    return JSON.parse(`[${rows}]`) as Row[];
  } catch {
    return undefined;
  }
}

/** Returns the text of the `data` lines of one event (WHATWG HTML, "Server-sent events"), or undefined for a comment. */
function readData(event: string): string | undefined {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).trimStart()).join('\n');
}

/** @throws SyntaxError if the text is not the JSON of an event */
function parseEvent(data: string): StreamEvent {
  const event: unknown = JSON.parse(data);
  if (typeof event !== 'object' || event === null || typeof Reflect.get(event, 'type') !== 'string')
    throw new SyntaxError('An event has no type.');
  return event as StreamEvent;
}

/**
 * Returns the parts of a block of whole events, in order.
 * @throws SyntaxError if an event is not JSON
 */
export function parseBlock(block: string): ParsedPart[] {
  const onlyRows = parseRows(block);
  if (onlyRows !== undefined) return [{ rows: onlyRows }];
  const parts: ParsedPart[] = [];
  let rows: Row[] = [];
  for (const text of block.split('\n\n')) {
    const data = readData(text);
    if (data === undefined) continue;
    const event = parseEvent(data);
    if (event.type === 'row') {
      if (rows.length === 0) parts.push({ rows });
      rows.push(event.data);
    } else {
      rows = [];
      parts.push({ event });
    }
  }
  return parts;
}

type SplitRow = ReturnType<typeof createRowSplitter>;

/** Splits the rows that follow each other from an index on. */
function splitRows(
  block: string,
  start: number,
  splitRow: SplitRow,
): { readonly rows: RowText[]; readonly end: number } {
  const rows: RowText[] = [];
  let index = start;
  while (block.startsWith(ROW_START, index)) {
    const { row, end } = splitRow(block, index + ROW_START.length);
    if (!block.startsWith(ROW_END, end)) throw new SyntaxError('A row does not end where its values do.');
    rows.push(row);
    index = end + ROW_END.length;
  }
  return { rows, end: index };
}

/**
 * Returns a function that parses blocks as parseBlock does, with rows as the JSON of their values. It keeps the columns of the metadata
 * event. The function throws a SyntaxError if an event is not JSON, or a row does not have these columns.
 */
export function createTextParser(): (block: string) => ParsedPart<RowText>[] {
  let splitRow: SplitRow | undefined;
  return (block) => {
    const parts: ParsedPart<RowText>[] = [];
    for (let index = 0; index < block.length; ) {
      const { rows, end } = splitRow === undefined ? { rows: [], end: index } : splitRows(block, index, splitRow);
      if (rows.length > 0) parts.push({ rows });
      const next = block.indexOf('\n\n', end);
      index = next === -1 ? block.length : next + 2;
      const data = readData(block.slice(end, index));
      if (data === undefined) continue;
      const event = parseEvent(data);
      if (event.type === 'row') throw new SyntaxError('A row precedes the columns, or has another form.');
      if (event.type === 'metadata') splitRow = createRowSplitter(event.columns);
      parts.push({ event });
    }
    return parts;
  };
}
