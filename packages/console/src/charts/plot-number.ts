import type { ColumnKind } from '../result/column-kind.ts';
import { unquote } from '../result/sort-key.ts';

const PARSERS: Readonly<Partial<Record<ColumnKind, (text: string) => number>>> = {
  number: Number,
  date: (text) => Date.parse(`${text}T00:00:00Z`),
  timestamp: (text) => Date.parse(`${text.replace(' ', 'T').slice(0, 23)}Z`),
  timestampWithZone: parseInstant,
};

/** Kinds that have a position on an axis. */
export const isPlotted = (kind: ColumnKind): boolean => PARSERS[kind] !== undefined;

/** Kinds whose position on an axis is a time. */
export const isTime = (kind: ColumnKind): boolean => isPlotted(kind) && kind !== 'number';

function parseInstant(text: string): number {
  const [, local = '', zone = ''] = /^(\S+ [\d:]+(?:\.\d{1,3})?)\d*\s?(.*)$/.exec(text) ?? [];
  const offset = /^[+-]\d\d:\d\d$/.test(zone) ? zone : 'Z';
  return Date.parse(`${local.replace(' ', 'T')}${offset}`);
}

/**
 * Returns the position of a value on an axis: a number, or milliseconds since 1970 for times. This is the only use of doubles for values,
 * because a pixel is coarser than any of them. Undefined for NULL, for NaN and infinities, and for kinds without an axis.
 */
export function plotNumber(kind: ColumnKind, json: string): number | undefined {
  const parse = PARSERS[kind];
  if (parse === undefined || json === 'null') return undefined;
  const value = parse(unquote(json));
  return Number.isFinite(value) ? value : undefined;
}
