import { csvText } from '@sluice/encoders';
import type { ExportRow } from '../export-row.ts';

/** Further pairs are counted together by action, so that a tenant with very many users needs no more memory. */
const PAIRS_MAX = 100_000;
const OTHER_USERS = '(other users)';

interface Pair {
  readonly user: string;
  readonly action: string;
  count: number;
  /** Microseconds since the epoch. */
  first: number;
  /** Microseconds since the epoch. */
  last: number;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const timeOf = (micros: number): string => new Date(Math.floor(micros / 1000)).toISOString();

/** Counts the records of an evidence package by user and action. */
export class EvidenceSummary {
  readonly #pairs = new Map<string, Pair>();

  add({ record }: ExportRow): void {
    const { action } = record;
    const key = JSON.stringify([record.user, action]);
    const isOther = this.#pairs.size >= PAIRS_MAX && !this.#pairs.has(key);
    this.#count(isOther ? OTHER_USERS : record.user, action, Number(record.occurredUs));
  }

  #count(user: string, action: string, micros: number): void {
    const key = JSON.stringify([user, action]);
    const pair = this.#pairs.get(key);
    if (pair === undefined) {
      this.#pairs.set(key, { user, action, count: 1, first: micros, last: micros });
      return;
    }
    pair.count += 1;
    pair.first = Math.min(pair.first, micros);
    pair.last = Math.max(pair.last, micros);
  }

  /** Yields the CSV by user and action. Names that a spreadsheet would run as a formula get an apostrophe. */
  *csv(): Generator<string> {
    yield 'user,action,count,first,last\n';
    const pairs = [...this.#pairs.values()].sort((a, b) => order(a.user, b.user) || order(a.action, b.action));
    for (const { user, action, count, first, last } of pairs) {
      yield `${csvText(user, 'prefix')},${csvText(action, 'prefix')},${count},${timeOf(first)},${timeOf(last)}\n`;
    }
  }
}
