import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditRecord } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { auditProblem } from '../database/store-problem.ts';
import { type CountRow, countStatement } from './audit-count-statement.ts';
import {
  accessStatement,
  OUTCOME_WITHIN_MS,
  type OutcomeQuery,
  type OutcomeRow,
  outcomeStatement,
  readOutcomes,
} from './audit-outcome-statement.ts';
import {
  type AuditPageOptions,
  type AuditPosition,
  idMember,
  PAGE_BYTES_MAX,
  type PageRow,
  pageStatement,
  windowEndStatement,
} from './audit-page-statement.ts';
import { findReadsSince, withReadNames } from './audit-read-names.ts';
import { type AuditFilter, planOf } from './audit-search-statements.ts';
import { hasWindow } from './audit-search-window.ts';

/** State of the log when a search began. */
interface AuditView {
  /** `pg_snapshot`. All pages show exactly the rows that it sees. */
  readonly snapshot: string;
  readonly total: number;
  /** Whether more than `total` may match: only a part of the log was searched for words. */
  readonly isAtLeast: boolean;
  /** Time of the first record that names the tables it read, in epoch milliseconds; null if there is none. Only for the filter `reads`. */
  readonly readsSince?: number | null;
}

interface AuditPage {
  /** Records as JSON in UTF-8, separated by commas. */
  readonly records: Buffer;
  /** Start of the next page; undefined on the last page. */
  readonly next: AuditPosition | undefined;
  /** Epoch milliseconds up to which the log was searched; undefined if the page has its size or is the last one. */
  readonly searchedTo: number | undefined;
}

export interface AuditSearchStore {
  /**
   * Counts the matching records, with the sealer's counts where they apply, and takes a snapshot. A search for words counts the matches of its
   * first window. Throws `invalid_request` when `reads` means too many tables.
   */
  open(tenantId: string, filter: AuditFilter, order?: 'asc' | 'desc'): Promise<AuditView>;
  /**
   * Reads a page. Its cost does not depend on its depth in the log. A page has fewer than `size` records if long ones make it exceed 1 MiB, or if
   * fewer match in a window of the log. When it resolves, the record that `accessOf` returns for the number of records is durable. Throws
   * `audit_unavailable` otherwise.
   */
  page(options: AuditPageOptions, accessOf: (records: number) => AuditRecord): Promise<AuditPage>;
}

/** Returns whether an outcome is missing that may be later than the searched range. */
const mayHaveLaterOutcomes = ({ ids, latest }: OutcomeQuery, outcomes: ReadonlyMap<string, string>): boolean =>
  outcomes.size < ids.length && Date.now() > Number(latest) / 1000 + OUTCOME_WITHIN_MS;

/** Characters that JSON forbids within strings. The statement writes none between values, so each is within a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROLS = /[\u0000-\u001f]/g;

const escapeControls = (json: string): string =>
  json.replace(CONTROLS, (control) => JSON.stringify(control).slice(1, -1));

const OPEN_BRACE = 0x7b;

/** End of the metadata of a query's record, where its outcome is inserted. */
interface MetadataEnd {
  readonly id: string;
  readonly offset: number;
}

function findMetadataEnds(body: Buffer, ids: readonly string[]): readonly MetadataEnd[] {
  let from = 0;
  const ends = ids.map((id) => {
    const offset = body.indexOf(idMember(id), from);
    if (offset !== -1) from = offset;
    return { id, offset };
  });
  return ends.filter(({ offset }) => offset !== -1);
}

/** Merges outcomes into metadata. The two share no key (docs/audit-actions.md). */
function addOutcomes(body: Buffer, ends: readonly MetadataEnd[], outcomes: ReadonlyMap<string, string>): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { id, offset } of ends) {
    const outcome = outcomes.get(id);
    if (outcome === undefined) continue;
    const isFirst = body[offset - 2] === OPEN_BRACE;
    parts.push(body.subarray(from, offset - 1), Buffer.from(`${isFirst ? '' : ', '}${outcome.slice(1)}`));
    from = offset;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, body.subarray(from)]);
}

/** Page as the database returned it, with the first record of the next page until `takeNext` removes it. */
interface FoundPage {
  readonly records: string[];
  readonly ids: string[];
  /** Time of the first record in microseconds since the epoch. */
  first: string;
  /** Time of the last record in microseconds since the epoch. */
  last: string;
  hasLong: boolean;
}

interface PageLimit {
  readonly size: number;
  /** Whether the page also ends by its bytes: only one with long records does. */
  readonly hasLong: boolean;
}

/** Removes the first record of the next page and returns its position; undefined when there is none. */
function takeNext({ records, last }: FoundPage, { size, hasLong }: PageLimit): AuditPosition | undefined {
  const bytesBeforeLast = (): number =>
    records.slice(0, -1).reduce((bytes, record) => bytes + Buffer.byteLength(record), 0);
  const isLast = !hasLong || records.length < 2 || bytesBeforeLast() < PAGE_BYTES_MAX;
  if (records.length <= size && isLast) return undefined;
  const { id } = JSON.parse(escapeControls(records.pop() ?? '')) as { id: string };
  return { occurred: last, id };
}

export function createAuditSearchStore(database: Database): AuditSearchStore {
  const recordAccess = async (
    access: AuditRecord,
    outcomeQuery: OutcomeQuery,
  ): Promise<ReadonlyMap<string, string>> => {
    const { statement, values } = accessStatement(access, outcomeQuery);
    try {
      return readOutcomes(
        await database.run<OutcomeRow>({ tenantId: outcomeQuery.tenantId, plan: 'in-order' }, statement, values),
      );
    } catch (thrown) {
      throw auditProblem(thrown);
    }
  };

  const findAllOutcomes = async (outcomeQuery: OutcomeQuery): Promise<ReadonlyMap<string, string>> => {
    const { statement, values } = outcomeStatement(outcomeQuery);
    return readOutcomes(
      await database.run<OutcomeRow>({ tenantId: outcomeQuery.tenantId, plan: 'in-order' }, statement, values),
    );
  };

  const scopeOf = ({ tenantId, filter }: AuditPageOptions) => {
    const plan = planOf(filter);
    return { tenantId, ...(plan && { plan }) };
  };

  const find = async (options: AuditPageOptions, variant: 'short' | 'long'): Promise<FoundPage> => {
    const scope = scopeOf(options);
    const { statement, values } = pageStatement(options, variant);
    const found: FoundPage = { records: [], ids: [], first: '0', last: '0', hasLong: false };
    await database.read(scope, statement, values, (row) => {
      const [record, queryRecordId, occurred] = row as PageRow;
      if (record === null) found.hasLong = true;
      else found.records.push(record);
      if (queryRecordId !== null) found.ids.push(queryRecordId);
      if (found.first === '0') found.first = occurred;
      found.last = occurred;
    });
    return found;
  };

  /** Returns the position after the window of a page; undefined if the log ends before. */
  const findWindowEnd = async (options: AuditPageOptions): Promise<AuditPosition | undefined> => {
    if (!hasWindow(options.filter)) return undefined;
    const { statement, values } = windowEndStatement(options);
    const [row] = await database.run<AuditPosition>(scopeOf(options), statement, values);
    return row;
  };

  return {
    async open(tenantId, filter, order = 'desc') {
      const found = await withReadNames(database, tenantId, filter);
      const { statement, values, plan } = countStatement(tenantId, found, order);
      const scope = plan === undefined ? { tenantId } : { tenantId, plan };
      const [row] = await database.run<CountRow>(scope, statement, values);
      const view = {
        snapshot: row?.snapshot ?? '',
        total: Number(row?.total ?? 0),
        isAtLeast: row?.isAtLeast ?? false,
      };
      return filter.reads === undefined ? view : { ...view, readsSince: await findReadsSince(database, tenantId) };
    },
    async page(asked, accessOf) {
      const { tenantId, size } = asked;
      const options = { ...asked, filter: await withReadNames(database, tenantId, asked.filter) };
      const short = await find(options, 'short');
      const found = short.hasLong ? await find(options, 'long') : short;
      const following = takeNext(found, { size, hasLong: short.hasLong });
      const windowEnd = following === undefined ? await findWindowEnd(options) : undefined;
      const { records, ids, first, last } = found;
      const [earliest, latest] = options.order === 'asc' ? [first, last] : [last, first];
      const outcomeQuery = { tenantId, ids, earliest, latest };
      const recording = recordAccess(accessOf(records.length), outcomeQuery);
      recording.catch(() => undefined); // awaited below
      // The database works while this thread joins the records.
      await nextTurn();
      const text = records.join(',');
      const hasControls = text.search(CONTROLS) !== -1;
      const body = Buffer.from(text);
      const ends = findMetadataEnds(body, ids);
      const recent = await recording;
      const outcomes = mayHaveLaterOutcomes(outcomeQuery, recent) ? await findAllOutcomes(outcomeQuery) : recent;
      const whole = addOutcomes(body, ends, outcomes);
      return {
        records: hasControls ? Buffer.from(escapeControls(`${whole}`)) : whole,
        next: following ?? windowEnd,
        searchedTo: windowEnd && Math.floor(Number(windowEnd.occurred) / 1000),
      };
    },
  };
}
