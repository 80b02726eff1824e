import { createHash } from 'node:crypto';
import {
  type Caller,
  keepMsOf,
  keepTimeMax,
  keptBytesLimit,
  ProblemError,
  presentKeep,
  presentParameters,
  type QueryParameter,
  type Tenant,
  type TenantSettings,
} from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';
import type { Logger, Metrics, ResultNotKeptReason } from '@sluice/observability';
import type { KeepSpec, OnStored, ReadStored, StoredEnd, StoredSpec } from '@sluice/query-worker';
import { BufferedUpload, type NotKeptReason, type OpenResult, type ResultStore } from '@sluice/result-store';
import {
  ChunkCipher,
  newResultKey,
  ResultReader,
  type ResultRequest,
  requestKeyOf,
  tenantKeyOf,
  unwrapResultKey,
  wrapResultKey,
} from '@sluice/result-store/form';
import type { KeptResultName, KeptResultStore, ViewableResult } from '@sluice/store/queries';
import type { CheckView } from './check-view.ts';

/** Limits for tenants without their own. */
export interface KeepDefaults {
  /** Undefined: results are not kept. */
  readonly keepTimeMaxMs: number | undefined;
  readonly keptBytesMax: number;
}

interface KeptResultsDependencies {
  readonly hostId: string;
  readonly records: KeptResultStore;
  readonly store: ResultStore;
  readonly storeKey: Uint8Array;
  readonly defaults: KeepDefaults;
  readonly checkView: CheckView;
  readonly metrics: Pick<Metrics, 'resultsKept' | 'keptBytes' | 'resultsNotKept' | 'resultsRemoved'>;
  readonly log: Logger;
}

/** The result of a running query that is being kept. */
export interface Keeping {
  readonly spec: KeepSpec;
  readonly onStored: OnStored;
  /** Reason for which the result will not be kept, as far as that is known. */
  readonly failure: string | undefined;
  /** Makes the complete result readable. Returns until when it is kept, or why it is not. Never rejects. */
  finish(): Promise<KeepOutcome>;
  /** Removes what was written of a query that did not end successfully. Does nothing after `finish`. Never rejects. */
  abandon(): Promise<void>;
  /** Removes a result whose query failed after `finish`. Never rejects. */
  revoke(): Promise<void>;
}

/** Outcome of keeping a result, as the end of a stream shows it (`ResultEnd` of the encoders). */
export type KeepOutcome = { readonly untilMs: number } | { readonly notKept: string };

interface NewKeeping {
  readonly caller: Caller;
  readonly queryId: string;
  readonly keepMs: number;
  readonly request: KeptResultRequest;
}

/** Statement and options of a query, by which its result can be found again. */
export interface KeptResultRequest extends ResultRequest {
  readonly parameters: readonly QueryParameter[];
  readonly engine: EngineSpec['kind'];
}

/** An open kept result. The caller must dispose of it. */
export interface OpenedKeptResult extends AsyncDisposable {
  readonly kept: ViewableResult;
  /** The caller ran the query. Otherwise the result is shared with the caller. */
  readonly isOwn: boolean;
  readonly reader: ResultReader;
  /** Everything that a query worker needs to render the result. */
  readonly spec: StoredSpec;
  /** Returns the sealed bytes, for that worker. */
  readonly readStored: ReadStored;
}

const AT_LIMIT = 'The kept results of the tenant have reached their limit of bytes.';
const ABOVE_LIMIT = 'The kept results of the tenant would exceed their limit of bytes.';
const NOT_RECORDED = 'The result cannot be recorded as kept.';

const UPLOAD_REASONS: Readonly<Record<NotKeptReason, ResultNotKeptReason>> = {
  [ABOVE_LIMIT]: 'tenant_limit',
  'The result store failed.': 'store_failed',
  'The result store was too slow.': 'store_slow',
};

/** Values of the metric. All other reasons are those of the worker, which writes the stored rows. */
const REASONS: ReadonlyMap<string, ResultNotKeptReason> = new Map<string, ResultNotKeptReason>([
  ...Object.entries(UPLOAD_REASONS),
  [AT_LIMIT, 'tenant_limit'],
  [NOT_RECORDED, 'not_recorded'],
]);

const NOTHING_KEPT = 'This tenant keeps no results. Leave keep out.';

/** Returns the milliseconds of a valid `keep`. Throws `invalid_request` for more than the tenant allows. */
export function requireKeepTime(
  keep: string,
  settings: TenantSettings,
  defaults: Pick<KeepDefaults, 'keepTimeMaxMs'>,
): number {
  const keepMs = keepMsOf(keep);
  const maxMs = keepTimeMax(settings, defaults);
  if (keepMs <= maxMs) return keepMs;
  const message = maxMs === 0 ? NOTHING_KEPT : `keep must be at most ${presentKeep(maxMs)}, the limit of this tenant.`;
  throw new ProblemError('invalid_request', message);
}

/** Keeps the results of queries of this host, and opens those of all hosts. */
export class KeptResults {
  readonly #dependencies: KeptResultsDependencies;

  constructor(dependencies: KeptResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to keep a result. Returns why it is not kept if that is not possible; the query runs in any case. Never rejects. */
  async begin({ caller, queryId, keepMs, request }: NewKeeping): Promise<Keeping | { readonly notKept: string }> {
    const { hostId, records, store, storeKey } = this.#dependencies;
    const { tenant, kind: accountKind, id: accountId } = caller.principal;
    const name = { tenantId: tenant.id, queryId };
    const key = newResultKey();
    const wrappedKey = wrapResultKey(tenantKeyOf(storeKey, tenant.id), key, name);
    const requestKey = requestKeyOf(storeKey, tenant.id, request);
    const tenantBytesMax = this.#bytesMaxOf(tenant);
    try {
      const result = { ...name, accountKind, accountId, hostId, keepMs, wrappedKey, requestKey, tenantBytesMax };
      const bytesLeft = await records.begin(result);
      if (bytesLeft === undefined) return this.#notKept(AT_LIMIT);
      const upload = new BufferedUpload(store.create(name), { bytesMax: bytesLeft });
      const { engine, sql, parameters } = request;
      const sqlSha256 = createHash('sha256').update(sql).digest('hex');
      const shown = parameters.length === 0 ? '' : JSON.stringify(presentParameters(parameters));
      const facts = { engine, ranAtMs: Date.now(), sqlSha256, parameters: shown };
      return this.#keeping({
        spec: { ...name, key: key.toString('base64'), ...facts },
        upload,
        tenantBytesMax,
      });
    } catch (err) {
      this.#dependencies.log.warn({ err, event: 'result_not_kept', query: queryId }, 'a result cannot be kept');
      return this.#notKept(NOT_RECORDED);
    }
  }

  /**
   * Opens a kept result that the caller ran, or that is shared with the caller or one of the caller's roles. Returns undefined if there is none.
   * Each view by another account than the one that ran the query is checked by the engine: throws `access_denied` if it rejects the statement as
   * the caller, and the problems of an engine that does not answer. Throws errors of the store, ResultKeyMismatchError for a result that was kept
   * under another key, and DamagedResultError.
   * @param options.withStatement - returns the statement of an own result too
   */
  async open(
    caller: Caller,
    queryId: string,
    options: { readonly withStatement?: boolean } = {},
  ): Promise<OpenedKeptResult | undefined> {
    const { records, store, checkView } = this.#dependencies;
    const { tenant } = caller.principal;
    const name = { tenantId: tenant.id, queryId };
    const kept = await records.findViewable(name, caller.principal, options);
    if (kept === undefined) return undefined;
    const key = this.#unwrapKey(kept.wrappedKey, name);
    const opened: OpenResult = await store.open(name, kept.bytes);
    try {
      const reader = await ResultReader.open(opened, new ChunkCipher(key, name));
      const { isOwn, statement } = kept;
      const { ranAtMs, timeZone, catalog, schema } = reader.header;
      if (!isOwn) await checkView(caller, { statement, timeZone, catalog, schema });
      return {
        kept,
        isOwn,
        reader,
        spec: { ...name, key: key.toString('base64'), bytes: kept.bytes, ranAtMs },
        readStored: (start, end) => opened.read(start, end),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    } catch (thrown) {
      await opened[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /**
   * Notes that a caller waits for the result of one of their own queries, so that the query runs on without its first client. Returns false
   * if no result of it is kept.
   */
  async ask({ principal: { tenant, kind, id } }: Caller, queryId: string): Promise<boolean> {
    return await this.#dependencies.records.ask({ tenantId: tenant.id, queryId, accountKind: kind, accountId: id });
  }

  /** Returns the query of the caller's newest kept result of the same request that is not older, or undefined. */
  async findReusable(
    { principal: { tenant, kind, id } }: Caller,
    { request, ageMaxMs }: { readonly request: KeptResultRequest; readonly ageMaxMs: number },
  ): Promise<string | undefined> {
    const { records, storeKey } = this.#dependencies;
    const requestKey = requestKeyOf(storeKey, tenant.id, request);
    const account = { tenantId: tenant.id, accountKind: kind, accountId: id };
    return await records.findReusable({ ...account, requestKey, ageMaxMs });
  }

  /** Removes the bytes of a result without a key, and then its record. Never rejects: what cannot be removed now is removed by the purge job. */
  async discard(name: KeptResultName): Promise<void> {
    const { records, store, metrics, log } = this.#dependencies;
    try {
      await store.remove(name);
      await records.forget(name);
      metrics.resultsRemoved.inc();
    } catch (err) {
      log.warn({ err, query: name.queryId }, 'a result without a key will be removed later');
    }
  }

  /** Returns the key of a result. The log has each one that cannot be unwrapped, because only an operator knows whether RESULT_KEY was changed. */
  #unwrapKey(wrapped: Uint8Array, name: KeptResultName): Buffer {
    const { storeKey, log } = this.#dependencies;
    try {
      return unwrapResultKey(tenantKeyOf(storeKey, name.tenantId), wrapped, name);
    } catch (err) {
      log.warn({ err, event: 'result_key_mismatch', query: name.queryId }, 'a kept result is under another key');
      throw err;
    }
  }

  #notKept(notKept: string): { readonly notKept: string } {
    this.#dependencies.metrics.resultsNotKept.inc({ reason: REASONS.get(notKept) ?? 'worker' });
    return { notKept };
  }

  #bytesMaxOf({ settings }: Tenant): number {
    return keptBytesLimit(settings, this.#dependencies.defaults);
  }

  #keeping({ spec, upload, tenantBytesMax }: UploadingResult): Keeping {
    const { records, metrics, log } = this.#dependencies;
    let end: StoredEnd | undefined;
    let notKept: string | undefined;
    let isOver = false;
    const onStored: OnStored = (part) => {
      if (part.kind === 'end') end = part.end;
      if (part.kind === 'not kept') notKept = part.reason;
      if (part.kind !== 'bytes') return true;
      return upload.push(part.bytes, part.release);
    };
    const remove = async (): Promise<void> => {
      await records.remove(spec).catch((err: unknown) => {
        log.warn({ err, query: spec.queryId }, 'a result that is not kept will be removed later');
      });
    };
    const drop = async (reason: string): Promise<KeepOutcome> => {
      const cause = upload.cause instanceof Error ? upload.cause : undefined;
      log.warn({ event: 'result_not_kept', query: spec.queryId, reason, ...(cause && { err: cause }) }, reason);
      void upload.abort(); // the end of the stream does not wait for a store that fails
      await remove();
      return this.#notKept(reason);
    };
    return {
      spec,
      onStored,
      get failure() {
        return notKept ?? upload.failure;
      },
      async finish() {
        isOver = true;
        if (end === undefined) return drop(notKept ?? upload.failure ?? 'The worker sent no complete result.');
        const failure = await upload.finish();
        if (failure !== undefined) return drop(failure);
        const { rows, sha256 } = end;
        try {
          const expires = await records.finish({ ...spec, rows, bytes: upload.bytes, sha256, tenantBytesMax });
          if (expires === undefined) return drop(ABOVE_LIMIT);
          metrics.resultsKept.inc();
          metrics.keptBytes.inc(upload.bytes);
          return { untilMs: expires.getTime() };
        } catch (err) {
          log.warn({ err, query: spec.queryId }, 'a result cannot be recorded as kept');
          return drop(NOT_RECORDED);
        }
      },
      async abandon() {
        if (isOver) return;
        isOver = true;
        await upload.abort();
        await remove();
      },
      revoke: remove,
    };
  }
}

interface UploadingResult {
  readonly spec: KeepSpec;
  readonly upload: BufferedUpload;
  readonly tenantBytesMax: number;
}
