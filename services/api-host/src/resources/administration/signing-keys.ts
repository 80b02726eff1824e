import type { KeyRing, OperatorGate } from '@sluice/auth';
import { type AuditAction, operatorOperations, ProblemError, type SigningKeyRecord } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { TenantDirectory } from '@sluice/store/administration';
import type { AuditStore } from '@sluice/store/audit';
import { requestOrigin } from '../../request/request-origin.ts';
import { createOperatorGuard, type OperatorCaller, operatorOf, RECORDS_AT_ONCE } from './tenants.ts';

interface SigningKeysContext {
  readonly keyRing: KeyRing;
  readonly directory: TenantDirectory;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Undefined without OPERATOR_TOKEN: there are no routes then. */
  readonly gate: OperatorGate | undefined;
}

interface KeyAct {
  readonly action: AuditAction;
  readonly target: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type Listed = Awaited<ReturnType<KeyRing['list']>>;

const stateOf = (
  { kid, signFrom, refusedFrom }: Listed['keys'][number],
  signerKid: string | undefined,
  nowMs: number,
): SigningKeyRecord['state'] => {
  if (refusedFrom !== null) return 'revoked';
  if (kid === signerKid) return 'signing';
  return signFrom.getTime() > nowMs ? 'next' : 'retired';
};

function presentKeys({ keys, revoked, signerKid }: Listed): SigningKeyRecord[] {
  const known = new Set(keys.map(({ kid }) => kid));
  const nowMs = Date.now();
  return [
    ...keys.map((key) => ({
      kid: key.kid,
      state: stateOf(key, signerKid, nowMs),
      published_ts: key.publishAt.getTime(),
      signs_from_ts: key.signFrom.getTime(),
      signs_until_ts: key.signUntil.getTime(),
      expires_ts: key.expiresAt.getTime(),
      refused_from_ts: key.refusedFrom?.getTime() ?? null,
    })),
    ...revoked
      .filter(({ kid }) => !known.has(kid))
      .map(({ kid, refusedFrom }) => ({
        kid,
        state: 'revoked' as const,
        published_ts: null,
        signs_from_ts: null,
        signs_until_ts: null,
        expires_ts: null,
        refused_from_ts: refusedFrom.getTime(),
      })),
  ];
}

/**
 * Everything below /operator/keys. The keys sign the tokens of all tenants, so each request is in the audit log of each, and fails if it
 * cannot be recorded: a change is recorded before it is made.
 */
export function signingKeyRoutes({ keyRing, directory, audit, gate }: SigningKeysContext): Route[] {
  if (gate === undefined) return [];
  const record = async (caller: OperatorCaller, act: KeyAct): Promise<void> => {
    const tenants = await directory.list();
    for (let from = 0; from < tenants.length; from += RECORDS_AT_ONCE) {
      const next = tenants.slice(from, from + RECORDS_AT_ONCE);
      await Promise.all(next.map(({ id }) => audit.append(operatorOf(id, caller).auditOf(act))));
    }
  };
  const answer = async () => json(200, { data: presentKeys(await keyRing.list()) });

  const routes: readonly Route[] = [
    route(operatorOperations.listKeys, async (request) => {
      await record(requestOrigin(request), { action: 'READ_KEYS', target: 'signing keys' });
      return answer();
    }),
    route(operatorOperations.rotateKeys, async (request) => {
      const { immediate = false } = request.query;
      const { keys } = await keyRing.list();
      const kid = keys.find(({ signFrom }) => signFrom.getTime() > Date.now())?.kid;
      const metadata = { immediate, ...(kid === undefined ? {} : { kid }) };
      await record(requestOrigin(request), { action: 'ROTATE_KEYS', target: 'signing keys', metadata });
      await keyRing.advance(immediate);
      return answer();
    }),
    route(operatorOperations.revokeKey, async (request) => {
      const { kid } = request.params;
      const { keys, revoked } = await keyRing.list();
      const isRevoked = (): ProblemError => new ProblemError('conflict', 'The key is revoked already.');
      if (revoked.some((key) => key.kid === kid)) throw isRevoked();
      if (!keys.some((key) => key.kid === kid)) {
        throw new ProblemError('not_found', 'There is no key with this kid. GET /operator/keys lists the keys.');
      }
      await record(requestOrigin(request), { action: 'REVOKE_KEY', target: kid, metadata: { kid } });
      if (!(await keyRing.revoke(kid))) throw isRevoked();
      return answer();
    }),
  ];
  const guard = createOperatorGuard(gate);
  return routes.map((each) => ({ ...each, guard }));
}
