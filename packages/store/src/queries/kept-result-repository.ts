import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import {
  ADD_SHARES,
  LIST_SHARES,
  LOCK_OWN_KEPT,
  REMOVE_KEPT,
  REMOVE_SHARES,
  RESOLVE_GRANTEES,
} from './kept-result-statements.ts';

/** Role or account that may view a kept result. `name` is the e-mail of a user, in lower case, or the client id of a service account. */
export interface StoredShare {
  readonly kind: 'role' | 'user' | 'client';
  readonly name: string;
}

/** Kept result of an account. */
interface OwnResult {
  readonly queryId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
}

/** Kept results of one tenant and their shares, within one transaction. */
export interface KeptResultRepository {
  /** Locks a readable result of an account until the end of the transaction. Returns false if the account has none of this query. */
  lockOwn(result: OwnResult): Promise<boolean>;
  /** Deletes the key of a result, which cannot be read any more then. */
  remove(queryId: string): Promise<void>;
  /** Lists the shares of a result by kind and name. */
  shares(queryId: string): Promise<readonly StoredShare[]>;
  /**
   * Makes these the only shares of a result. Returns those with an unknown role or account, or a disabled account; then nothing is changed.
   * Needs the lock of the result and of the grantees.
   */
  replaceShares(queryId: string, shares: readonly StoredShare[]): Promise<readonly StoredShare[]>;
}

interface ResolvedGrantee extends StoredShare {
  readonly role: string | null;
  readonly userId: string | null;
  readonly clientId: string | null;
}

const isKnown = ({ role, userId, clientId }: ResolvedGrantee): boolean =>
  role !== null || userId !== null || clientId !== null;

export const createKeptResultRepository = (transaction: Transaction, tenantId: string): KeptResultRepository => ({
  async lockOwn({ queryId, accountKind, accountId }) {
    if (!isUuid(queryId)) return false;
    const found = await transaction.query(LOCK_OWN_KEPT, [tenantId, queryId, accountKind, accountId]);
    return found.length > 0;
  },
  async remove(queryId) {
    await transaction.query(REMOVE_KEPT.text, [tenantId, queryId]);
  },
  shares: (queryId) => transaction.query<StoredShare>(LIST_SHARES.text, [tenantId, queryId]),
  async replaceShares(queryId, shares) {
    const [kinds, names] = [shares.map(({ kind }) => kind), shares.map(({ name }) => name)];
    const resolved = await transaction.query<ResolvedGrantee>(RESOLVE_GRANTEES, [tenantId, kinds, names]);
    const unknown = resolved.filter((grantee) => !isKnown(grantee));
    if (unknown.length > 0) return unknown.map(({ kind, name }) => ({ kind, name }));
    await transaction.query(REMOVE_SHARES, [tenantId, queryId]);
    await transaction.query(ADD_SHARES, [
      tenantId,
      queryId,
      resolved.map(({ kind }) => kind),
      resolved.map(({ role }) => role),
      resolved.map(({ userId }) => userId),
      resolved.map(({ clientId }) => clientId),
    ]);
    return [];
  },
});
