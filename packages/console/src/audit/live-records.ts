import type { AuditEntry } from '@sluice/client';
import type { OpenRecord } from './open-record.ts';

/** Records that a page keeps: more would make it slow. Older ones are in the list of records. */
export const LIVE_RECORDS_MAX = 500;

/** Records that have arrived, newest first. */
export interface LiveRecords {
  readonly shown: readonly OpenRecord[];
  /** Records that arrived while the list was paused, newest first. */
  readonly held: readonly OpenRecord[];
  readonly isPaused: boolean;
  /** Records that no longer fit. */
  readonly dropped: number;
}

export const NO_LIVE_RECORDS: LiveRecords = { shown: [], held: [], isPaused: false, dropped: 0 };

function trim(
  added: readonly OpenRecord[],
  before: readonly OpenRecord[],
): { latest: readonly OpenRecord[]; dropped: number } {
  const all = [...added, ...before];
  return { latest: all.slice(0, LIVE_RECORDS_MAX), dropped: Math.max(0, all.length - LIVE_RECORDS_MAX) };
}

/** Returns the list with records that have arrived, in the order in which they were sealed. A paused list shows none of them yet. */
export function addRecords(records: LiveRecords, arrived: readonly OpenRecord[]): LiveRecords {
  const newest = arrived.toReversed();
  const { latest, dropped } = trim(newest, records.isPaused ? records.held : records.shown);
  const lists = records.isPaused ? { held: latest } : { shown: latest };
  return { ...records, ...lists, dropped: records.dropped + dropped };
}

/** Returns the list as it stays while the user reads. Records go on arriving. */
export const pause = (records: LiveRecords): LiveRecords => ({ ...records, isPaused: true });

/** Returns the list with everything that arrived while it was paused. */
export function resume(records: LiveRecords): LiveRecords {
  const { latest, dropped } = trim(records.held, records.shown);
  return { shown: latest, held: [], isPaused: false, dropped: records.dropped + dropped };
}

/** Reads a record that the host has sent. Its text stays, because a parsed number has fewer digits. */
export const readLiveRecord = (text: string): OpenRecord => ({ entry: JSON.parse(text) as AuditEntry, json: text });
