import type { ClientSession } from '@sluice/trino-protocol';

type Capabilities = ClientSession['capabilities'];

/**
 * Place of a page in the answer to a statement, and how its client reads values. Requests for pages have no headers of a session, so their
 * addresses hold what the pages depend on.
 */
export interface PagePosition {
  /** Rows before the page. */
  readonly rows: number;
  readonly capabilities: Capabilities;
  /** The answer is a `PreparedAnswer`, which has one page. */
  readonly isPrepared: boolean;
}

const POSITION = /^(\d{1,15})([a-z]*)$/;
const MILLISECONDS = 'm';
const NO_NUMBERS = 'v';
const PREPARED = 'p';
const MARKS = new Set([MILLISECONDS, NO_NUMBERS, PREPARED]);

/** Writes a position as the last part of a `nextUri`. */
export function presentPosition({ rows, capabilities, isPrepared }: PagePosition): string {
  const marks = [
    capabilities.parametricDatetime ? '' : MILLISECONDS,
    capabilities.number ? '' : NO_NUMBERS,
    isPrepared ? PREPARED : '',
  ];
  return `${rows}${marks.join('')}`;
}

/** Reads a position. Returns undefined for any text that `presentPosition` does not write. */
export function readPosition(text: string): PagePosition | undefined {
  const [, rows, marks = ''] = POSITION.exec(text) ?? [];
  if (rows === undefined || [...marks].some((mark) => !MARKS.has(mark))) return undefined;
  const position: PagePosition = {
    rows: Number(rows),
    capabilities: { parametricDatetime: !marks.includes(MILLISECONDS), number: !marks.includes(NO_NUMBERS) },
    isPrepared: marks.includes(PREPARED),
  };
  return presentPosition(position) === text ? position : undefined;
}
