/** Action of the record by which a host reports what it set aside. */
const REPORT_ACTION = 'SET_ASIDE_AUDIT_ENTRIES';
const REPORTS_MAX = 20;

/** Entry of a chain that no host added. */
interface ForgedEntry {
  readonly sequence: number;
  readonly record_id: string;
}

/** Forged entries and checkpoints that a host found after the last signed checkpoint, and set aside before it continued the chain. */
export interface SetAsideReport {
  /** Sequence number of the record that reports it; undefined while the record is not sealed. */
  readonly sequence: number | undefined;
  readonly entries: number;
  readonly checkpoints: number;
  /** The first entries, at most 20. */
  readonly firstEntries: readonly ForgedEntry[];
  /** Numbers of the first checkpoints, at most 20. */
  readonly firstCheckpoints: readonly number[];
}

interface ReportingRecord {
  readonly action: string;
  /** JSON text of an object. */
  readonly metadata: string;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isEntry = (value: unknown): value is ForgedEntry => {
  const { sequence, record_id: recordId } = (value ?? {}) as Partial<ForgedEntry>;
  return typeof sequence === 'number' && typeof recordId === 'string';
};

/** Reads a report. Returns undefined for metadata that no host writes. */
function readReport(metadata: string, sequence: number | undefined): SetAsideReport | undefined {
  const read = (JSON.parse(metadata) ?? {}) as Readonly<Record<string, unknown>>;
  const { entries, checkpoints, first_entries: firstEntries, first_checkpoints: firstCheckpoints } = read;
  if (!isCount(entries) || !isCount(checkpoints)) return undefined;
  if (!Array.isArray(firstEntries) || !firstEntries.every(isEntry)) return undefined;
  if (!Array.isArray(firstCheckpoints) || !firstCheckpoints.every((number) => typeof number === 'number'))
    return undefined;
  return { sequence, entries, checkpoints, firstEntries, firstCheckpoints };
}

/** Collects what hosts set aside, from the records that report it. */
export class SetAsideReports {
  /** The first reports, at most 20. */
  readonly first: SetAsideReport[] = [];
  count = 0;

  takeRecord({ action, metadata }: ReportingRecord, sequence?: number): void {
    if (action !== REPORT_ACTION) return;
    const report = readReport(metadata, sequence);
    if (report === undefined) return;
    this.count += 1;
    if (this.first.length < REPORTS_MAX) this.first.push(report);
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
