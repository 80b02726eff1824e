import { setTimeout as wait } from 'node:timers/promises';
import { rowText } from '@sluice/audit';
import { includesAddress, type NameDigest } from '@sluice/auth';
import {
  type AuditStreamInput,
  asProblem,
  type Caller,
  type CallerStatusReader,
  type Principal,
} from '@sluice/contract';
import { sseEvent, ssePosition, withSseHeartbeat } from '@sluice/encoders';
import type { AuditChainStore, AuditFilter, AuditStore } from '@sluice/store/audit';
import type { SessionStore } from '@sluice/store/identity';
import { auditAccessRecord } from './audit-access-record.ts';
import { exportRows } from './audit-export-rows.ts';
import { auditFilterOf, visibleFrom } from './audit-filter.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { releaseAfterRead } from './release-after-read.ts';

interface FollowAuditLogsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly authStatus: CallerStatusReader;
  readonly sessions: Pick<SessionStore, 'noteStream'>;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly nameDigest: NameDigest;
  readonly now: () => number;
  readonly sseHeartbeatMs: number;
  /** False once the host shuts down. Followers then reconnect to another host. */
  readonly isServing: () => boolean;
  /** Called once when a stream cannot read the database, and again only after it could. */
  readonly onOutage: (caller: Caller, err: unknown) => void;
}

interface FollowAuditLogsInput {
  /** Last sequence that the caller knows; undefined starts with the next sealed record. */
  readonly after: number | undefined;
  /** Filters. Records that do not match are passed over. */
  readonly options: Omit<AuditStreamInput, 'after'>;
  readonly signal: AbortSignal;
}

const POLL_MS = 1000;
/** A stream without records ends within this time after its caller lost the session or the permission. */
const REVALIDATE_AFTER_MS = 5000;
/** Positions that are searched for a match before the position of the stream moves on. */
const SEARCHED_POSITIONS_MAX = 10_000;
/** A third of the time for which a note lasts. */
const NOTE_STREAM_AFTER_MS = 10_000;

const encoder = new TextEncoder();

export type FollowAuditLogs = (caller: Caller, input: FollowAuditLogsInput) => Promise<AsyncIterable<Uint8Array>>;

interface NewEvents {
  readonly bytes: Uint8Array;
  /** Last position that was searched. */
  readonly through: number;
  readonly hasRecords: boolean;
}

/** Reports the first failure of each outage. */
class OutageReport {
  #isDown = false;
  readonly #report: (err: unknown) => void;

  constructor(report: (err: unknown) => void) {
    this.#report = report;
  }

  failed(err: unknown): void {
    if (!this.#isDown) this.#report(err);
    this.#isDown = true;
  }

  worked(): void {
    this.#isDown = false;
  }
}

/** Streams records as they are sealed, each once and in order. Throws `audit_unavailable` and `too_many_requests`. */
export function createFollowAuditLogs(dependencies: FollowAuditLogsDependencies): FollowAuditLogs {
  const { auditChain, audit, authStatus, sessions, limit, retentionMs, nameDigest, now, isServing } = dependencies;
  const { sseHeartbeatMs, onOutage } = dependencies;

  const mayFollow = async ({ principal, address }: Caller): Promise<boolean> => {
    const { tenant, kind, id, sessionId } = principal;
    const status = await authStatus.ofCaller({
      tenantName: tenant.name,
      accountKind: kind,
      accountId: id,
      sessionId,
    });
    const account = status?.account;
    if (!includesAddress(account?.allowedNetworks, address)) return false;
    const isLive = status?.sessionLive === true && !status.keyRevoked && status.tenant.state === 'active';
    return isLive && account?.disabled === false && account.permissions.includes('audit:read');
  };

  /** Returns the events after a position. Without a match, only the position that was searched moves on. None while the database is unavailable. */
  const eventsAfter = async (
    { tenant }: Principal,
    { after, options }: Pick<FollowAuditLogsInput, 'options'> & { readonly after: number },
    outage: OutageReport,
  ): Promise<NewEvents> => {
    try {
      const head = (await auditChain.head(tenant.id))?.sequence ?? 0;
      const last = Math.min(head, after + SEARCHED_POSITIONS_MAX);
      const from = visibleFrom(tenant, retentionMs, now());
      const filter: AuditFilter = auditFilterOf(
        { advance_options: options },
        { tenantId: tenant.id, from, nameDigest },
      );
      for await (const rows of exportRows(auditChain, { tenantId: tenant.id, first: after + 1, last, filter })) {
        outage.worked();
        const through = rows.at(-1)?.sequence;
        if (through === undefined) continue;
        const events = rows.map((row) => sseEvent({ id: row.sequence, data: rowText(row) }));
        return { bytes: encoder.encode(events.join('')), through, hasRecords: true };
      }
      outage.worked();
      if (last > after) return { bytes: encoder.encode(ssePosition(last)), through: last, hasRecords: false };
    } catch (thrown) {
      if (asProblem(thrown).code !== 'service_unavailable') throw thrown;
      outage.failed(thrown);
    }
    return { bytes: new Uint8Array(), through: after, hasRecords: false };
  };

  /** Returns the check of the right to a batch of records. Undefined while the store is unavailable. */
  const watchAuthStatus = (caller: Caller, outage: OutageReport) => {
    let checkedAt = performance.now();
    return async (hasRecords: boolean): Promise<boolean | undefined> => {
      if (!hasRecords && performance.now() - checkedAt < REVALIDATE_AFTER_MS) return true;
      const may = await mayFollow(caller).catch((thrown: unknown) => {
        outage.failed(thrown);
        return undefined;
      });
      if (may === true) checkedAt = performance.now();
      return may;
    };
  };

  /** Keeps the session of the stream from being ended as idle. */
  const noteStreams = ({ tenant, sessionId }: Principal) => {
    let notedAt = Number.NEGATIVE_INFINITY;
    return async (): Promise<void> => {
      if (sessionId === undefined || performance.now() - notedAt < NOTE_STREAM_AFTER_MS) return;
      notedAt = performance.now();
      // Without the note the stream goes on; its session only counts as idle.
      await sessions.noteStream(tenant.id, sessionId).catch(() => undefined);
    };
  };

  async function* follow(
    caller: Caller,
    begin: number,
    { options, signal }: FollowAuditLogsInput,
  ): AsyncGenerator<Uint8Array> {
    const { principal } = caller;
    const outage = new OutageReport((err) => onOutage(caller, err));
    const mayReceive = watchAuthStatus(caller, outage);
    const noteStream = noteStreams(principal);
    let after = begin;
    // A reader that is cut before its first record knows where to continue.
    yield encoder.encode(ssePosition(begin));
    while (!signal.aborted && isServing()) {
      await noteStream();
      const { bytes, through, hasRecords } = await eventsAfter(principal, { after, options }, outage);
      const may = await mayReceive(hasRecords);
      if (may === false) return;
      if (may === true && through > after) {
        after = through;
        yield bytes;
      } else await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return async (caller, input) => {
    const { principal } = caller;
    const { after, options } = input;
    const slot = limit.acquire(principal.tenant.id);
    try {
      const begin = after ?? (await auditChain.head(principal.tenant.id))?.sequence ?? 0;
      await audit.append(auditAccessRecord(caller, 'FOLLOW_AUDIT_LOGS', { after: begin, ...options }));
      return releaseAfterRead(withSseHeartbeat(follow(caller, begin, input), sseHeartbeatMs), slot);
    } catch (thrown) {
      slot[Symbol.dispose]();
      throw thrown;
    }
  };
}
