import { type AuditRecord, auditOf, type Caller, recordsMetadataReads } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';

interface CatalogueReadsDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  /** Time for which a record stands for equal reads. */
  readonly windowMs?: number;
  /** Windows that are open at once. Reads beyond them have a record each. */
  readonly windowsMax?: number;
}

/** A record that stands for equal reads until its window ends. */
interface Window {
  readonly record: AuditRecord;
  readonly beganMs: number;
  /** Time of the first read, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Resolves when the record is durable. */
  readonly written: Promise<void>;
  repeats: number;
}

const WINDOW_MS = 60_000;
const WINDOWS_MAX = 10_000;

/**
 * Records of statements about the mirrored catalog (READ_CATALOG). The first of equal ones has a record, which is durable before the
 * statement runs and says for how long it stands for equal ones. A second record counts these when the time has passed.
 */
export class CatalogueReads implements AsyncDisposable {
  readonly #audit: Pick<AuditStore, 'append'>;
  readonly #windowMs: number;
  readonly #windowsMax: number;
  /** Open windows in the order in which they began. */
  readonly #windows = new Map<string, Window>();
  /** Windows that have ended and whose counts are not written yet. */
  #ended: Window[] = [];

  constructor({ audit, windowMs = WINDOW_MS, windowsMax = WINDOWS_MAX }: CatalogueReadsDependencies) {
    this.#audit = audit;
    this.#windowMs = windowMs;
    this.#windowsMax = windowsMax;
  }

  /**
   * Resolves when a durable record stands for the read. Throws `audit_unavailable`. Reads of tenants that do not record reads of metadata have
   * no record.
   */
  async record(caller: Caller, sql: string): Promise<void> {
    if (!recordsMetadataReads(caller.principal.tenant)) return;
    this.#endWindows();
    const record = auditOf(caller, { action: 'READ_CATALOG', target: 'catalog', metadata: { sql } });
    const key = keyOf(record);
    const open = this.#windows.get(key);
    if (open !== undefined) {
      await open.written;
      open.repeats += 1;
      return;
    }
    if (this.#windows.size >= this.#windowsMax) return await this.#audit.append(record);
    const withWindow = { ...record, metadata: { sql, within_s: this.#windowMs / 1000 } };
    const written = this.#audit.append(withWindow);
    this.#windows.set(key, { record, beganMs: performance.now(), sinceMs: Date.now(), written, repeats: 0 });
    try {
      await written;
    } catch (thrown) {
      this.#windows.delete(key); // equal reads that wait for it fail too; the next one begins anew
      throw thrown;
    }
  }

  /** Writes the counts of windows that have ended. Call it periodically. A count that cannot be written is kept for the next call. */
  async writeCounts(): Promise<void> {
    this.#endWindows();
    const ended = this.#ended;
    this.#ended = [];
    for (let next = ended.shift(); next !== undefined; next = ended.shift()) {
      try {
        await this.#audit.append(countOf(next));
      } catch (thrown) {
        this.#ended = [next, ...ended, ...this.#ended];
        throw thrown;
      }
    }
  }

  /** Ends all windows and writes their counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#endWindows(Number.POSITIVE_INFINITY);
    await this.writeCounts();
  }

  #endWindows(nowMs = performance.now()): void {
    for (const [key, window] of this.#windows) {
      if (nowMs - window.beganMs < this.#windowMs) return;
      this.#windows.delete(key);
      if (window.repeats > 0) this.#ended.push(window);
    }
  }
}

/** Equal reads differ only in their requests. */
const keyOf = ({ requestId: _, ...record }: AuditRecord): string => JSON.stringify(record);

const countOf = ({ record, repeats, sinceMs }: Window): AuditRecord => ({
  ...record,
  metadata: { ...record.metadata, repeats, since_ts: sinceMs },
});
