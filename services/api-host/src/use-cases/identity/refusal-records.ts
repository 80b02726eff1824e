import { addressPrefix, type Clock } from '@sluice/auth';
import type { AuditRecord } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** Records that refused requests from one address, or from one /64 of IPv6, cause in a tenant within a window. */
export const REFUSALS_OF_ADDRESS_MAX = 30;
/** The same from all addresses together. */
export const REFUSALS_OF_TENANT_MAX = 300;
export const REFUSALS_WINDOW_MS = 60_000;

/** Times that the record of what was left out is tried, once for each call of `flush`. */
const TRIES_MAX = 120;

/** User and target of a record about requests without a verified name. */
const UNKNOWN = 'unknown';

interface Source {
  /** Address that sent the first request that was left out. */
  readonly address: string;
  recorded: number;
  leftOut: number;
}

interface Window {
  readonly endsMs: number;
  readonly sources: Map<string, Source>;
  recorded: number;
  /** Requests that were left out because of the limit of the tenant. */
  leftOut: number;
}

interface Summary {
  readonly record: AuditRecord;
  triesLeft: number;
}

interface RefusalRecordsOptions {
  readonly audit: Pick<AuditStore, 'append'>;
  readonly now: Clock;
}

/**
 * Records of refused requests, of which anyone can send many. Within a minute of a tenant, each address causes at most
 * `REFUSALS_OF_ADDRESS_MAX` and all together cause `REFUSALS_OF_TENANT_MAX` on this host. The rest are counted, and recorded by their number
 * when the minute is over.
 */
export class RefusalRecords {
  readonly #audit: RefusalRecordsOptions['audit'];
  readonly #now: Clock;
  readonly #windows = new Map<string, Window>();
  #summaries: Summary[] = [];

  constructor({ audit, now }: RefusalRecordsOptions) {
    this.#audit = audit;
    this.#now = now;
  }

  /** Appends the record of a request, or counts it. Throws `audit_unavailable`. */
  async append(
    { tenant, origin }: AnonymousCaller,
    act: Pick<AuditRecord, 'user' | 'action' | 'target' | 'metadata'>,
  ): Promise<void> {
    if (!this.#admits(tenant.id, origin.address)) return;
    await this.#audit.append({ tenantId: tenant.id, ...act, ...origin });
  }

  /** Appends a record for each address, and one for each tenant, of which requests were left out in a minute that is over. */
  async flush(): Promise<void> {
    for (const [tenantId, { endsMs }] of this.#windows) if (endsMs <= this.#now()) this.#close(tenantId);
    await this.#appendSummaries();
  }

  /** Does the same for the minutes that are not over, before the host ends. */
  async close(): Promise<void> {
    for (const tenantId of this.#windows.keys()) this.#close(tenantId);
    await this.#appendSummaries();
  }

  #admits(tenantId: string, address: string): boolean {
    const window = this.#windowOf(tenantId);
    const prefix = addressPrefix(address);
    const source = window.sources.get(prefix);
    if (source !== undefined && source.recorded >= REFUSALS_OF_ADDRESS_MAX) {
      source.leftOut += 1;
      return false;
    }
    if (window.recorded >= REFUSALS_OF_TENANT_MAX) {
      window.leftOut += 1;
      return false;
    }
    window.recorded += 1;
    if (source === undefined) window.sources.set(prefix, { address, recorded: 1, leftOut: 0 });
    else source.recorded += 1;
    return true;
  }

  /** Returns the minute of a tenant, which begins with its first refusal. */
  #windowOf(tenantId: string): Window {
    const nowMs = this.#now();
    const open = this.#windows.get(tenantId);
    if (open !== undefined && open.endsMs > nowMs) return open;
    this.#close(tenantId);
    const window = { endsMs: nowMs + REFUSALS_WINDOW_MS, sources: new Map(), recorded: 0, leftOut: 0 };
    this.#windows.set(tenantId, window);
    return window;
  }

  #close(tenantId: string): void {
    const window = this.#windows.get(tenantId);
    if (window === undefined) return;
    this.#windows.delete(tenantId);
    for (const { address, leftOut } of window.sources.values()) this.#summarize(tenantId, leftOut, address);
    this.#summarize(tenantId, window.leftOut);
  }

  #summarize(tenantId: string, leftOut: number, address?: string): void {
    if (leftOut === 0) return;
    const metadata = {
      left_out: leftOut,
      reason: address === undefined ? 'Too many addresses within a minute.' : 'Too many requests within a minute.',
    };
    const act = { user: UNKNOWN, action: 'LOGIN_FAILED', target: UNKNOWN } as const;
    const record = { tenantId, ...act, metadata, ...(address === undefined ? {} : { address }) };
    this.#summaries.push({ record, triesLeft: TRIES_MAX });
  }

  /** Keeps what cannot be written for the next time. Throws the first failure. */
  async #appendSummaries(): Promise<void> {
    const due = this.#summaries;
    this.#summaries = [];
    const failures: unknown[] = [];
    for (const summary of due) {
      try {
        await this.#audit.append(summary.record);
      } catch (thrown) {
        failures.push(thrown);
        summary.triesLeft -= 1;
        if (summary.triesLeft > 0) this.#summaries.push(summary);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
