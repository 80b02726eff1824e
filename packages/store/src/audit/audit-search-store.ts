import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { auditProblem } from '../database/store-problem.ts';
import { countStatement } from './audit-count-statement.ts';
import {
  type AskedQueries,
  OUTCOME_WITHIN_MS,
  type OutcomeRow,
  outcomeStatement,
  readingStatement,
} from './audit-outcome-statement.ts';
import { type AuditPageOrder, type AuditPosition, type PageRow, pageStatement } from './audit-page-statement.ts';
import type { AuditFilter } from './audit-search-statements.ts';
import type { AuditRecord } from './audit-store.ts';

/** What a search saw when it began. */
export interface AuditView {
  /** `pg_snapshot`: later pages see the rows that it sees and no others. */
  readonly snapshot: string;
  readonly total: number;
}

export interface AuditPage {
  /** The JSON text of the records, as the contract has them, with commas between. */
  readonly records: string;
  /** Where the next page begins; undefined when nothing is left. */
  readonly next: AuditPosition | undefined;
}

export interface AuditSearchStore {
  /** Counts what matches, by the counts of the sealer where they reach, and remembers what is visible now. */
  open(tenantId: string, filter: AuditFilter): Promise<AuditView>;
  /**
   * A page costs the same however deep it lies. Its reading is on record, made of the number of its records, when it resolves.
   * Throws `audit_unavailable` when it cannot be.
   */
  page(order: AuditPageOrder, readingOf: (records: number) => AuditRecord): Promise<AuditPage>;
}

const ID = /^,"id":"([^"]*)"/;

const positionOf = ({ occurred, tail }: PageRow): AuditPosition => ({ occurred, id: ID.exec(tail)?.[1] ?? '' });

/** None stands between the values of a record, so wherever one is, it is within a string. */
const CONTROLS = /\p{Cc}/gu;

const escapeControls = (json: string): string =>
  json.replace(CONTROLS, (control) => JSON.stringify(control).slice(1, -1));

/** Undefined where no record of the page is a query's. */
function askedQueries(tenantId: string, rows: readonly PageRow[]): AskedQueries | undefined {
  const asked = rows.filter((row): row is PageRow & { asked: string } => row.asked !== null);
  const [first, last] = [asked[0]?.occurred, asked.at(-1)?.occurred];
  if (first === undefined || last === undefined) return undefined;
  const [earliest, latest] = Number(first) <= Number(last) ? [first, last] : [last, first];
  return { tenantId, ids: asked.map((row) => row.asked), earliest, latest };
}

/** Whether an outcome is unknown that may lie further on than was looked. */
const isUnsettled = ({ ids, latest }: AskedQueries, outcomes: readonly OutcomeRow[]): boolean =>
  outcomes.length < ids.length && Date.now() > Number(latest) / 1000 + OUTCOME_WITHIN_MS;

/** A record as far as its outcome, whose it is, and what follows; the records before it that have none stand in front of it. */
interface Piece {
  readonly head: string;
  readonly asked: string;
  readonly tail: string;
}

/** Writes all that needs no outcome, and answers what adds those. Metadata and outcome of a query share no key (docs/audit-actions.md). */
function writeRecords(rows: readonly PageRow[]): (outcomes: readonly OutcomeRow[]) => string {
  const pieces: Piece[] = [];
  let before: string[] = [];
  for (const { occurred, asked, head, tail } of rows) {
    before.push(`{"timestamp":${occurred.slice(0, -3)}${head}`);
    if (asked === null) before[before.length - 1] += tail;
    else {
      pieces.push({ head: escapeControls(before.join(',')), asked, tail: escapeControls(tail) });
      before = [];
    }
  }
  const rest = before.length === 0 ? [] : [escapeControls(before.join(','))];
  return (outcomes) => {
    const known = new Map(outcomes.map(({ asked, metadata }) => [asked, metadata]));
    const texts = pieces.map(({ head, asked, tail }) => {
      const outcome = known.get(asked);
      if (outcome === undefined) return head + tail;
      const comma = head.endsWith('{}') ? '' : ', ';
      return head.slice(0, -1) + comma + outcome.slice(1) + tail;
    });
    return [...texts, ...rest].join(',');
  };
}

export function createAuditSearchStore(database: Database): AuditSearchStore {
  const record = async (reading: AuditRecord, asked: AskedQueries): Promise<OutcomeRow[]> => {
    const { statement, values } = readingStatement(reading, asked);
    try {
      return await database.run<OutcomeRow>({ tenantId: asked.tenantId, plan: 'in-order' }, statement, values);
    } catch (thrown) {
      throw auditProblem(thrown);
    }
  };

  const outcomesEver = (asked: AskedQueries): Promise<OutcomeRow[]> => {
    const { statement, values } = outcomeStatement(asked);
    return database.run<OutcomeRow>({ tenantId: asked.tenantId, plan: 'in-order' }, statement, values);
  };

  return {
    async open(tenantId, filter) {
      const { statement, values, isPlannedOnce } = countStatement(tenantId, filter);
      const scope = isPlannedOnce ? ({ tenantId, plan: 'in-order' } as const) : { tenantId };
      const [row] = await database.run<{ snapshot: string; total: string }>(scope, statement, values);
      return { snapshot: row?.snapshot ?? '', total: Number(row?.total ?? 0) };
    },
    async page(order, readingOf) {
      const { tenantId, filter, size } = order;
      // Requests and queries have an index without the order, for few rows.
      const isInOrder = filter.requestId === undefined && filter.queryId === undefined;
      const scope = isInOrder ? ({ tenantId, plan: 'in-order' } as const) : { tenantId };
      const { statement, values } = pageStatement(order);
      const found = await database.run<PageRow>(scope, statement, values);
      const shown = found.slice(0, size);
      const asked = askedQueries(tenantId, shown) ?? { tenantId, ids: [], earliest: '0', latest: '0' };
      const recording = record(readingOf(shown.length), asked);
      recording.catch(() => undefined); // it is awaited below
      // The database looks and writes while we write.
      await nextTurn();
      const writeWith = writeRecords(shown);
      const soon = await recording;
      const outcomes = isUnsettled(asked, soon) ? await outcomesEver(asked) : soon;
      const last = shown.at(-1);
      return {
        records: writeWith(outcomes),
        next: found.length > size && last !== undefined ? positionOf(last) : undefined,
      };
    },
  };
}
