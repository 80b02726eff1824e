import type { StreamEvent } from '../contract-types.ts';

/** A row: the values by column name. */
export type Row = Record<string, unknown>;

type OtherEvent = Exclude<StreamEvent, { type: 'row' }>;
/** Consecutive rows, or one event that is not a row. */
export type ParsedPart = { readonly rows: Row[] } | { readonly event: OtherEvent };

const ROW_START = 'data: {"type":"row","data":';
const ROW_END = '}\n\n';
const BETWEEN_ROWS = `${ROW_END}${ROW_START}`;

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
function dataOf(event: string): string | undefined {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).trimStart()).join('\n');
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
    const data = dataOf(text);
    if (data === undefined) continue;
    const event = JSON.parse(data) as StreamEvent;
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
