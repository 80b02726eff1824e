import { setTimeout as wait } from 'node:timers/promises';
import { rowText } from '@sluice/audit';
import type { AuthStatusReader } from '@sluice/auth';
import { asProblem, type Principal } from '@sluice/contract';
import { sseEvent, withSseHeartbeat } from '@sluice/encoders';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { type AuditCaller, readingRecord } from './audit-caller.ts';
import { exportRows } from './audit-export-rows.ts';
import { visibleFrom } from './audit-range.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { holdWhileRead } from './hold-while-read.ts';

export interface FollowAuditLogsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly now: () => number;
  readonly sseHeartbeatMs: number;
  /** False once the host leaves: whoever follows is to come back to another. */
  readonly isServing: () => boolean;
}

export interface FollowRequest {
  /** The last sequence that the caller knows; undefined begins with the next that is sealed. */
  readonly after: number | undefined;
  readonly signal: AbortSignal;
}

const POLL_MS = 1000;
/** Whoever loses the session or the permission sees no more after so long. */
const STANDING_MS = 5000;

const encoder = new TextEncoder();

/** Follows the chain as it grows, each record once and in order. Throws `audit_unavailable`, `too_many_requests`. */
export function createFollowAuditLogs(dependencies: FollowAuditLogsDependencies) {
  const { auditChain, audit, authStatus, limit, retentionMs, now, isServing, sseHeartbeatMs } = dependencies;

  const mayFollow = async ({ tenant, sessionId, id }: Principal): Promise<boolean> => {
    const standing = await authStatus.ofSession({
      tenantName: tenant.name,
      sessionId: sessionId ?? '',
      accountId: id,
      keyId: '',
    });
    const account = standing?.account;
    const isLive = standing?.sessionLive === true && standing.tenant.state === 'active';
    return isLive && account?.disabled === false && account.permissions.includes('audit:read');
  };

  /** What was sealed behind a place, as events; empty also while the database is away. */
  const news = async (principal: Principal, after: number): Promise<{ bytes: Uint8Array; through: number }> => {
    try {
      const { tenant } = principal;
      const last = (await auditChain.head(tenant.id))?.sequence ?? 0;
      const filter = { start: visibleFrom(tenant, retentionMs, now()) };
      for await (const rows of exportRows(auditChain, { tenantId: tenant.id, first: after + 1, last, filter })) {
        const through = rows.at(-1)?.sequence;
        if (through === undefined) continue;
        const events = rows.map((row) => sseEvent({ id: row.sequence, data: rowText(row) }));
        return { bytes: encoder.encode(events.join('')), through };
      }
    } catch (thrown) {
      if (asProblem(thrown).code !== 'service_unavailable') throw thrown;
    }
    return { bytes: new Uint8Array(), through: after };
  };

  /** Asks now and then whether the caller still may; while nobody can tell, nothing is read either. */
  const watchAuthStatus = (principal: Principal): (() => Promise<boolean>) => {
    let checkedAt = performance.now();
    return async () => {
      if (performance.now() - checkedAt < STANDING_MS) return true;
      const may = await mayFollow(principal).catch(() => undefined);
      if (may === true) checkedAt = performance.now();
      return may ?? true;
    };
  };

  async function* follow(principal: Principal, begin: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const mayGoOn = watchAuthStatus(principal);
    let after = begin;
    while (!signal.aborted && isServing() && (await mayGoOn())) {
      const { bytes, through } = await news(principal, after);
      after = through;
      if (bytes.length > 0) yield bytes;
      else await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return async (caller: AuditCaller, { after, signal }: FollowRequest): Promise<AsyncIterable<Uint8Array>> => {
    const { principal } = caller;
    const place = limit.take(principal.tenant.id);
    try {
      const begin = after ?? (await auditChain.head(principal.tenant.id))?.sequence ?? 0;
      await audit.append(readingRecord('FOLLOW_AUDIT_LOGS', caller, { after: begin }));
      return holdWhileRead(withSseHeartbeat(follow(principal, begin, signal), sseHeartbeatMs), place);
    } catch (thrown) {
      place[Symbol.dispose]();
      throw thrown;
    }
  };
}
