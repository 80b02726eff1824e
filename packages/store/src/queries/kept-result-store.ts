import type { TablesReadMetadata } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import { HOST_SILENCE_MS_DEFAULT } from './host-silence.ts';
import type { StoredShare } from './kept-result-repository.ts';
import {
  ASK_KEPT,
  BEGIN_KEPT,
  FIND_KEPT,
  FIND_REUSABLE,
  FIND_UNKNOWN,
  FIND_VIEWABLE,
  FINISH_KEPT,
  FORGET_REMOVED,
  LIST_ASKED,
  LIST_REMOVED,
  LIST_SHARES,
  LOCK_TENANT,
  REMOVE_DUE,
  REMOVE_KEPT,
} from './kept-result-statements.ts';

/** Names a kept result. */
export interface KeptResultName {
  readonly tenantId: string;
  readonly queryId: string;
}

/** Account that ran a query. */
interface ResultOwner {
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
}

interface NewKeptResult extends KeptResultName, ResultOwner {
  readonly hostId: string;
  /** Time for which the result is kept after the end of its query. */
  readonly keepMs: number;
  /** Key of the result, wrapped by the key of its tenant. */
  readonly wrappedKey: Uint8Array;
  /** Keyed hash of what determines the result, for `findReusable`. */
  readonly requestKey: Uint8Array;
  /** Limit of the bytes of all kept results of the tenant. */
  readonly tenantBytesMax: number;
}

interface ReusableResult extends ResultOwner {
  readonly tenantId: string;
  readonly requestKey: Uint8Array;
  /** Greatest time since the start of its query. */
  readonly ageMaxMs: number;
}

/** A result that is being written, and the time since a client last asked for it. */
interface AskedResult {
  readonly queryId: string;
  readonly agoMs: number;
}

interface WrittenResult extends KeptResultName {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly tenantBytesMax: number;
}

/** A result that can be read. */
export interface KeptResult {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly expires: Date;
  readonly wrappedKey: Buffer;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
}

/** Account that views a result. */
interface ResultViewer {
  readonly kind: 'user' | 'client';
  readonly id: string;
}

/** Statement of a kept result, as its audit record has it. */
export interface RecordedStatement {
  readonly sql: string;
  /** Values in the form of a request. Undefined: none. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
}

/** A result that an account may view, as far as shares decide that. */
export interface ViewableResult extends KeptResult {
  /** The account ran the query. */
  readonly isOwn: boolean;
  /** E-mail of the user, or client id of the service account, that ran the query. */
  readonly ranBy: string;
  /** Undefined for an own result, unless it was requested, and if its audit record is gone. */
  readonly statement: RecordedStatement | undefined;
  /** Tables that the query read, for the audit records of the accounts that view its result. Empty if its own record names none. */
  readonly tablesRead: Partial<TablesReadMetadata>;
}

interface ViewableRow extends Omit<ViewableResult, 'statement' | 'tablesRead'> {
  readonly tablesRead: TablesReadMetadata | null;
  readonly sql: string | null;
  readonly parameters: Record<string, unknown> | null;
}

/** Records of the kept results, each with its account and expiry. Their bytes are in a result store (`@sluice/result-store`). */
export interface KeptResultStore {
  /**
   * Records that a result is being written, before anything of it is. Returns the bytes that it may have, or undefined if the tenant has
   * reached its limit or the result of the query is already kept.
   */
  begin(result: NewKeptResult): Promise<number | undefined>;
  /** Makes a completely written result readable, and returns its expiry. Returns undefined if it exceeds the limit of its tenant. */
  finish(result: WrittenResult): Promise<Date | undefined>;
  /** Returns undefined for a result that is unknown, of another tenant, not complete, or expired. */
  find(name: KeptResultName): Promise<KeptResult | undefined>;
  /**
   * Notes that a client waits for a result of this account. Returns false if there is none, or it was removed; one that is complete already
   * returns true.
   */
  ask(name: KeptResultName & ResultOwner): Promise<boolean>;
  /** Lists the results that a host is writing and that clients have asked for. */
  listAsked(hostId: string): Promise<readonly AskedResult[]>;
  /** Returns the query of the newest readable result of the account with this key, or undefined. */
  findReusable(wanted: ReusableResult): Promise<string | undefined>;
  /**
   * Finds a readable result that the account ran, or that is shared with it or one of the roles that it has now. Returns undefined for any other.
   * @param options.withStatement - reads the statement of an own result too
   */
  findViewable(
    name: KeptResultName,
    viewer: ResultViewer,
    options?: { readonly withStatement?: boolean },
  ): Promise<ViewableResult | undefined>;
  /** Lists the roles and accounts that a result is shared with, by kind and name. */
  listShares(name: KeptResultName): Promise<readonly StoredShare[]>;
  /** Deletes the key of a result, which cannot be read any more then. Returns false if there is none. */
  remove(name: KeptResultName): Promise<boolean>;
  /** Removes expired results, and those that a lost host was writing. */
  removeDue(): Promise<void>;
  /** Lists removed results whose bytes may still be in the store. */
  listRemoved(countMax: number): Promise<readonly KeptResultName[]>;
  /** Deletes the row of a removed result, whose bytes are gone. */
  forget(name: KeptResultName): Promise<void>;
  /** Returns those of the given results that no row names: their tenant is gone, or their row. */
  findUnknown(names: readonly KeptResultName[]): Promise<readonly KeptResultName[]>;
}

export const createKeptResultStore = (
  database: Database,
  hostSilenceMs = HOST_SILENCE_MS_DEFAULT,
): KeptResultStore => ({
  async begin({ tenantId, queryId, accountKind, accountId, hostId, keepMs, wrappedKey, tenantBytesMax, requestKey }) {
    const values = [tenantId, queryId, accountKind, accountId, hostId, keepMs, wrappedKey, tenantBytesMax, requestKey];
    return database.withTenant(tenantId, async (transaction) => {
      await transaction.query(LOCK_TENANT, [tenantId]);
      const [row] = await transaction.query<{ bytesLeft: string }>(BEGIN_KEPT, values);
      return row === undefined ? undefined : Number(row.bytesLeft);
    });
  },
  async finish({ tenantId, queryId, rows, bytes, sha256, tenantBytesMax }) {
    return database.withTenant(tenantId, async (transaction) => {
      await transaction.query(LOCK_TENANT, [tenantId]);
      const values = [tenantId, queryId, rows, bytes, sha256, tenantBytesMax];
      const [row] = await transaction.query<{ expires: Date }>(FINISH_KEPT, values);
      return row?.expires;
    });
  },
  async find({ tenantId, queryId }) {
    if (!isUuid(queryId)) return undefined;
    const [row] = await database.run<KeptResult>({ tenantId }, FIND_KEPT, [tenantId, queryId]);
    return row;
  },
  async ask({ tenantId, queryId, accountKind, accountId }) {
    if (!isUuid(queryId)) return false;
    const asked = await database.run({ tenantId }, ASK_KEPT, [tenantId, queryId, accountKind, accountId]);
    return asked.length > 0;
  },
  listAsked: (hostId) => database.run<AskedResult>('every-tenant', LIST_ASKED, [hostId]),
  async findReusable({ tenantId, accountKind, accountId, requestKey, ageMaxMs }) {
    const values = [tenantId, accountKind, accountId, requestKey, ageMaxMs];
    const [row] = await database.run<{ queryId: string }>({ tenantId }, FIND_REUSABLE, values);
    return row?.queryId;
  },
  async findViewable({ tenantId, queryId }, { kind, id }, { withStatement = false } = {}) {
    if (!isUuid(queryId)) return undefined;
    const values = [tenantId, queryId, kind, id, withStatement];
    const [row] = await database.run<ViewableRow>({ tenantId }, FIND_VIEWABLE, values);
    if (row === undefined) return undefined;
    const { sql, parameters, tablesRead, ...found } = row;
    const statement = sql === null ? undefined : { sql, parameters: parameters ?? undefined };
    return { ...found, statement, tablesRead: tablesRead ?? {} };
  },
  async listShares({ tenantId, queryId }) {
    if (!isUuid(queryId)) return [];
    return database.run<StoredShare>({ tenantId }, LIST_SHARES, [tenantId, queryId]);
  },
  async remove({ tenantId, queryId }) {
    if (!isUuid(queryId)) return false;
    const removed = await database.run({ tenantId }, REMOVE_KEPT, [tenantId, queryId]);
    return removed.length > 0;
  },
  async removeDue() {
    await database.run('every-tenant', REMOVE_DUE, [hostSilenceMs]);
  },
  listRemoved: (countMax) => database.run<KeptResultName>('every-tenant', LIST_REMOVED, [countMax]),
  async forget({ tenantId, queryId }) {
    await database.run({ tenantId }, FORGET_REMOVED, [tenantId, queryId]);
  },
  async findUnknown(names) {
    const tenantIds = names.map(({ tenantId }) => tenantId);
    const queryIds = names.map(({ queryId }) => queryId);
    return database.run<KeptResultName>('every-tenant', FIND_UNKNOWN, [tenantIds, queryIds]);
  },
});
