import {
  auditOf,
  type Caller,
  callerOf,
  type KeptResultFacts,
  RESULT_FORMATS,
  type ResultShares,
  requireValid,
  streamOperations,
} from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { KeptResultStore, StoredShare } from '@sluice/store/queries';
import type { Actor, ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import type { KeptResults } from '../../queries/kept-results.ts';
import { noSuchResult, openKeptResult } from '../../use-cases/queries/open-kept-result.ts';

interface KeptResultsContext {
  readonly resources: ResourceDatabase;
  readonly keptRecords: Pick<KeptResultStore, 'listShares'>;
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
}

/** Returns the caller as the one who changes a kept result. The audit records name its query. */
const actorOn = (caller: Caller, queryId: string): Actor => ({
  tenantId: caller.principal.tenant.id,
  name: caller.principal.name,
  requestId: caller.requestId,
  auditOf: (act) => ({ ...auditOf(caller, act), queryId }),
});

/** Locks a result that the caller ran. Throws `not_found` for any other, also for one that is shared with the caller. */
async function lockOwn(tx: TenantTransaction, { principal }: Caller, queryId: string): Promise<void> {
  const isFound = await tx.keptResults.lockOwn({ queryId, accountKind: principal.kind, accountId: principal.id });
  if (!isFound) throw noSuchResult();
}

/** Returns the facts of a result that the caller may view. The statement and the shares are only for the account that ran the query. */
async function describeResult(
  { keptResults, keptRecords }: KeptResultsContext,
  caller: Caller,
  queryId: string,
): Promise<KeptResultFacts> {
  await using opened = await openKeptResult(keptResults, caller, queryId, { withStatement: true });
  const { kept, isOwn, reader } = opened;
  const { columns, timeZone, ranAtMs } = reader.header;
  const { rows, limited } = reader.end;
  const name = { tenantId: caller.principal.tenant.id, queryId };
  return {
    query_id: queryId,
    sql: isOwn ? (kept.statement?.sql ?? null) : null,
    columns: [...columns],
    rows,
    limited,
    bytes: kept.bytes,
    time_zone: timeZone,
    as_of: ranAtMs,
    expires_ts: kept.expires.getTime(),
    ran_by: kept.ranBy,
    is_own: isOwn,
    shares: isOwn ? [...(await keptRecords.listShares(name))] : null,
    formats: [...RESULT_FORMATS],
  };
}

/**
 * Deletes a result of the caller: its key at once, with the audit record, and then its bytes, which the purge job removes if the store fails.
 * Throws `not_found` and `audit_unavailable`.
 */
async function deleteResult(
  { resources, keptResults }: KeptResultsContext,
  caller: Caller,
  queryId: string,
): Promise<void> {
  const actor = actorOn(caller, queryId);
  await resources.change(actor, async (tx) => {
    await lockOwn(tx, caller, queryId);
    await tx.keptResults.remove(queryId);
    await tx.record('DELETE_RESULT', queryId);
  });
  await keptResults?.discard({ tenantId: actor.tenantId, queryId });
}

const UNKNOWN = {
  role: (name: string) => `there is no role ${name}`,
  user: (name: string) => `there is no user ${name}, or the user is disabled`,
  client: (name: string) => `there is no service account ${name}, or it is disabled`,
} as const;

/** Returns the form in which names are stored: that of a user is an e-mail in lower case. */
const storedShare = ({ kind, name }: StoredShare): StoredShare => ({
  kind,
  name: kind === 'user' ? name.toLowerCase() : name,
});

/**
 * Makes these the only shares of a result of the caller. Throws `not_found`, and `invalid_request` that names each entry with an unknown or
 * disabled role or account.
 */
async function shareResult(
  { resources }: KeptResultsContext,
  caller: Caller,
  { queryId, shares }: { readonly queryId: string; readonly shares: readonly StoredShare[] },
): Promise<ResultShares> {
  return await resources.change(actorOn(caller, queryId), async (tx) => {
    // A role or account that is removed meanwhile would otherwise fail the change.
    await tx.grants.lockGranteesShared();
    await lockOwn(tx, caller, queryId);
    const before = await tx.keptResults.shares(queryId);
    const unknown = await tx.keptResults.replaceShares(queryId, shares);
    const isUnknown = ({ kind, name }: StoredShare): boolean =>
      unknown.some((other) => other.kind === kind && other.name === name);
    requireValid(
      shares.flatMap((share, index) =>
        isUnknown(share) ? [{ path: `body.shares[${index}].name`, message: UNKNOWN[share.kind](share.name) }] : [],
      ),
    );
    const after = await tx.keptResults.shares(queryId);
    await tx.record('SHARE_RESULT', queryId, { before, after });
    return { shares: [...after] };
  });
}

/** GET and DELETE /query/{id}/result, and PUT /query/{id}/share. */
export const keptResultRoutes = (context: KeptResultsContext): Route[] => [
  route(streamOperations.getResult, async (request) =>
    json(200, await describeResult(context, callerOf(request), request.params.id.toLowerCase())),
  ),
  route(streamOperations.deleteResult, async (request) => {
    await deleteResult(context, callerOf(request), request.params.id.toLowerCase());
    return noContent();
  }),
  route(streamOperations.shareResult, async (request) => {
    const queryId = request.params.id.toLowerCase();
    const shares = request.body.shares.map(storedShare);
    return json(200, await shareResult(context, callerOf(request), { queryId, shares }));
  }),
];
