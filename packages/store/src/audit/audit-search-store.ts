import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditRecord } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { auditProblem } from '../database/store-problem.ts';
import { countStatement } from './audit-count-statement.ts';
import {
  OUTCOME_WITHIN_MS,
  type OutcomeQuery,
  type OutcomeRow,
  outcomeStatement,
  readingStatement,
  readOutcomes,
} from './audit-outcome-statement.ts';
import {
  type AuditPageOptions,
  type AuditPosition,
  idMember,
  PAGE_BYTES_MAX,
  type PageRow,
  pageStatement,
} from './audit-page-statement.ts';
import type { AuditFilter } from './audit-search-statements.ts';

/** What a search saw when it began. */
export interface AuditView {
  /** `pg_snapshot`: later pages see the rows that it sees and no others. */
  readonly snapshot: string;
  readonly total: number;
}

export interface AuditPage {
  /** The JSON of the records in UTF-8, as the contract has them, with commas between. */
  readonly records: Buffer;
  /** Where the next page begins; undefined when nothing is left. */
  readonly next: AuditPosition | undefined;
}

export interface AuditSearchStore {
  /** Counts what matches, by the counts of the sealer where they reach, and remembers what is visible now. */
  open(tenantId: string, filter: AuditFilter): Promise<AuditView>;
  /**
   * A page costs the same however deep it lies. It has fewer records than asked for where these are more than 16 MiB. Its reading is on record, made of the number of its records, when it resolves.
   * Throws `audit_unavailable` when it cannot be.
   */
  page(order: AuditPageOptions, readingOf: (records: number) => AuditRecord): Promise<AuditPage>;
}

/** Whether an outcome is unknown that may lie further on than was looked. */
const isUnsettled = ({ ids, latest }: OutcomeQuery, outcomes: ReadonlyMap<string, string>): boolean =>
  outcomes.size < ids.length && Date.now() > Number(latest) / 1000 + OUTCOME_WITHIN_MS;

/** None stands between the values of a record, so wherever one is, it is within a string. JSON forbids these, and no others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u001f]/g;

const escapeControls = (json: string): string =>
  json.replace(CONTROLS, (control) => JSON.stringify(control).slice(1, -1));

const OPEN_BRACE = 0x7b;

/** Where the metadata of a query's record end, behind which its outcome goes. */
interface Place {
  readonly id: string;
  readonly metadataEnd: number;
}

function findPlaces(body: Buffer, ids: readonly string[]): readonly Place[] {
  let from = 0;
  const places = ids.map((id) => {
    const metadataEnd = body.indexOf(idMember(id), from);
    if (metadataEnd !== -1) from = metadataEnd;
    return { id, metadataEnd };
  });
  return places.filter(({ metadataEnd }) => metadataEnd !== -1);
}

/** Metadata and outcome share no key (docs/audit-actions.md). */
function addOutcomes(body: Buffer, places: readonly Place[], outcomes: ReadonlyMap<string, string>): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { id, metadataEnd } of places) {
    const outcome = outcomes.get(id);
    if (outcome === undefined) continue;
    const isFirst = body[metadataEnd - 2] === OPEN_BRACE;
    parts.push(body.subarray(from, metadataEnd - 1), Buffer.from(`${isFirst ? '' : ', '}${outcome.slice(1)}`));
    from = metadataEnd;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, body.subarray(from)]);
}

/** A page as the database gave it, with the record that follows it as long as `next` is not known. */
interface FoundPage {
  readonly records: string[];
  readonly ids: string[];
  /** Of the first and the last record, in microseconds of the epoch. */
  first: string;
  last: string;
  hasLong: boolean;
}

/** Parts the record that follows the page from it. Answers where that one is. */
function takeNext({ records, last }: FoundPage, size: number): AuditPosition | undefined {
  const bytesBeforeLast = (): number =>
    records.slice(0, -1).reduce((bytes, record) => bytes + Buffer.byteLength(record), 0);
  if (records.length <= size && (records.length < 2 || bytesBeforeLast() < PAGE_BYTES_MAX)) return undefined;
  const { id } = JSON.parse(escapeControls(records.pop() ?? '')) as { id: string };
  return { occurred: last, id };
}

export function createAuditSearchStore(database: Database): AuditSearchStore {
  const record = async (reading: AuditRecord, outcomeQuery: OutcomeQuery): Promise<ReadonlyMap<string, string>> => {
    const { statement, values } = readingStatement(reading, outcomeQuery);
    try {
      return readOutcomes(
        await database.run<OutcomeRow>({ tenantId: outcomeQuery.tenantId, plan: 'in-order' }, statement, values),
      );
    } catch (thrown) {
      throw auditProblem(thrown);
    }
  };

  const outcomesEver = async (outcomeQuery: OutcomeQuery): Promise<ReadonlyMap<string, string>> => {
    const { statement, values } = outcomeStatement(outcomeQuery);
    return readOutcomes(
      await database.run<OutcomeRow>({ tenantId: outcomeQuery.tenantId, plan: 'in-order' }, statement, values),
    );
  };

  const find = async (order: AuditPageOptions, way: 'short' | 'long'): Promise<FoundPage> => {
    const { tenantId, filter } = order;
    // Requests and queries have an index without the order, for few rows.
    const isInOrder = filter.requestId === undefined && filter.queryId === undefined;
    const scope = isInOrder ? ({ tenantId, plan: 'in-order' } as const) : { tenantId };
    const { statement, values } = pageStatement(order, way);
    const found: FoundPage = { records: [], ids: [], first: '0', last: '0', hasLong: false };
    await database.read(scope, statement, values, (row) => {
      const [record, outcomeQuery, occurred] = row as PageRow;
      if (record === null) found.hasLong = true;
      else found.records.push(record);
      if (outcomeQuery !== null) found.ids.push(outcomeQuery);
      if (found.first === '0') found.first = occurred;
      found.last = occurred;
    });
    return found;
  };

  return {
    async open(tenantId, filter) {
      const { statement, values, isPlannedOnce } = countStatement(tenantId, filter);
      const scope = isPlannedOnce ? ({ tenantId, plan: 'in-order' } as const) : { tenantId };
      const [row] = await database.run<{ snapshot: string; total: string }>(scope, statement, values);
      return { snapshot: row?.snapshot ?? '', total: Number(row?.total ?? 0) };
    },
    async page(order, readingOf) {
      const { tenantId, size } = order;
      const short = await find(order, 'short');
      const found = short.hasLong ? await find(order, 'long') : short;
      const next = takeNext(found, size);
      const { records, ids, first, last } = found;
      const [earliest, latest] = order.order === 'asc' ? [first, last] : [last, first];
      const outcomeQuery = { tenantId, ids, earliest, latest };
      const recording = record(readingOf(records.length), outcomeQuery);
      recording.catch(() => undefined); // it is awaited below
      // The database looks and writes while we do.
      await nextTurn();
      const text = records.join(',');
      const hasControls = text.search(CONTROLS) !== -1;
      const body = Buffer.from(text);
      const places = findPlaces(body, ids);
      const soon = await recording;
      const outcomes = isUnsettled(outcomeQuery, soon) ? await outcomesEver(outcomeQuery) : soon;
      const whole = addOutcomes(body, places, outcomes);
      return { records: hasControls ? Buffer.from(escapeControls(`${whole}`)) : whole, next };
    },
  };
}
