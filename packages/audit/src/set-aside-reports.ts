import { canonicalMembers } from './canonical-json.ts';
import { type ExactInteger, exactInteger } from './exact-integer.ts';

/** Action of the record by which a host reports what it set aside. */
const REPORT_ACTION = 'SET_ASIDE_AUDIT_ENTRIES';
const REPORTS_MAX = 20;

/** Entry of a chain that no host added. */
interface ForgedEntry {
  readonly sequence: ExactInteger;
  readonly record_id: string;
}

/** Forged entries and checkpoints that a host found after the last signed checkpoint, and set aside before it continued the chain. */
export interface SetAside {
  readonly entries: number;
  readonly checkpoints: number;
  /** The first entries, at most 20. */
  readonly firstEntries: readonly ForgedEntry[];
  /** Numbers of the first checkpoints, at most 20. */
  readonly firstCheckpoints: readonly ExactInteger[];
}

export interface SetAsideReport extends SetAside {
  /** Sequence number of the record that reports it; undefined while the record is not sealed. */
  readonly sequence: number | undefined;
}

interface ReportingRecord {
  readonly action: string;
  /** JSON text of an object. */
  readonly metadata: string;
}

const COUNT = /^\d+$/;
const NUMBERS = /^\[(?:-?\d+(?:,-?\d+)*)?\]$/;
const ENTRY = /\{"record_id":"([^"\\]*)","sequence":(-?\d+)\}/;
const ENTRIES = new RegExp(`^\\[(?:${ENTRY.source}(?:,${ENTRY.source})*)?\\]$`);

const membersOf = (metadata: string): ReadonlyMap<string, string> => {
  try {
    return canonicalMembers(metadata);
  } catch {
    return new Map();
  }
};

/** Reads the metadata of a report with all digits of its numbers. Returns undefined for metadata that no host writes. */
export function readSetAside(metadata: string): SetAside | undefined {
  const members = membersOf(metadata);
  const matching = (name: string, pattern: RegExp): string | undefined => pattern.exec(members.get(name) ?? '')?.[0];
  const entries = matching('entries', COUNT);
  const checkpoints = matching('checkpoints', COUNT);
  const firstEntries = matching('first_entries', ENTRIES);
  const firstCheckpoints = matching('first_checkpoints', NUMBERS);
  if (entries === undefined || checkpoints === undefined) return undefined;
  if (firstEntries === undefined || firstCheckpoints === undefined) return undefined;
  return {
    entries: Number(entries),
    checkpoints: Number(checkpoints),
    firstEntries: [...firstEntries.matchAll(new RegExp(ENTRY, 'g'))].map(([, recordId = '', sequence = '']) => ({
      sequence: exactInteger(sequence),
      record_id: recordId,
    })),
    firstCheckpoints: (firstCheckpoints.match(/-?\d+/g) ?? []).map(exactInteger),
  };
}

/** Collects what hosts set aside, from the records that report it. */
export class SetAsideReports {
  /** The first reports, at most 20. */
  readonly first: SetAsideReport[] = [];
  count = 0;

  takeRecord({ action, metadata }: ReportingRecord, sequence?: number): void {
    if (action !== REPORT_ACTION) return;
    const report = readSetAside(metadata);
    if (report === undefined) return;
    this.count += 1;
    if (this.first.length < REPORTS_MAX) this.first.push({ sequence, ...report });
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Returns one sentence about a report, for operators and auditors. */
export function describeSetAside(report: SetAsideReport): string {
  const { sequence, entries, checkpoints, firstEntries, firstCheckpoints } = report;
  const named = [
    ...firstEntries.map((entry) => `entry ${entry.sequence} for record id ${entry.record_id}`),
    ...firstCheckpoints.map((number) => `checkpoint ${number}`),
  ];
  const rest = entries + checkpoints - named.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const where = sequence === undefined ? 'The newest records report' : `Record ${sequence} reports`;
  const what = `${counted(entries, 'entry', 'entries')} and ${counted(checkpoints, 'checkpoint', 'checkpoints')}`;
  return `${where} that a host set aside ${what} that no host had added to the chain: ${named.join(', ')}${more}.`;
}
