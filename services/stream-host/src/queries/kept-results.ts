import { createHash } from 'node:crypto';
import {
  type Caller,
  keepMsOf,
  ProblemError,
  presentKeep,
  presentParameters,
  type QueryParameter,
  type Tenant,
  type TenantSettings,
} from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';
import type { Logger } from '@sluice/observability';
import type { KeepSpec, OnStored, ReadStored, StoredEnd, StoredSpec } from '@sluice/query-worker';
import { BufferedUpload, type OpenResult, type ResultStore } from '@sluice/result-store';
import {
  ChunkCipher,
  newResultKey,
  ResultReader,
  tenantKeyOf,
  unwrapResultKey,
  wrapResultKey,
} from '@sluice/result-store/form';
import type { KeptResult, KeptResultStore } from '@sluice/store/queries';

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
  readonly log: Logger;
}

/** The result of a running query that is being kept. */
export interface Keeping {
  readonly spec: KeepSpec;
  readonly onStored: OnStored;
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
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly engine: EngineSpec['kind'];
}

/** An open kept result. The caller must dispose of it. */
export interface OpenedKeptResult extends AsyncDisposable {
  readonly kept: KeptResult;
  readonly reader: ResultReader;
  /** Everything that a query worker needs to render the result. */
  readonly spec: StoredSpec;
  /** Returns the sealed bytes, for that worker. */
  readonly readStored: ReadStored;
}

const NOTHING_KEPT = 'This tenant keeps no results. Leave keep out.';

/** Returns the milliseconds of a valid `keep`. Throws `invalid_request` for more than the tenant allows. */
export function requireKeepTime(
  keep: string,
  { keepTimeMaxMs: ownMaxMs }: TenantSettings,
  { keepTimeMaxMs }: Pick<KeepDefaults, 'keepTimeMaxMs'>,
): number {
  const keepMs = keepMsOf(keep);
  const maxMs = ownMaxMs ?? keepTimeMaxMs ?? 0;
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
  async begin(input: NewKeeping): Promise<Keeping | { readonly notKept: string }> {
    const { hostId, records, store, storeKey } = this.#dependencies;
    const { caller, queryId, keepMs, sql, parameters = [], engine } = input;
    const { tenant, kind: accountKind, id: accountId } = caller.principal;
    const name = { tenantId: tenant.id, queryId };
    const key = newResultKey();
    const wrappedKey = wrapResultKey(tenantKeyOf(storeKey, tenant.id), key, name);
    const tenantBytesMax = this.#bytesMaxOf(tenant);
    try {
      const result = { ...name, accountKind, accountId, hostId, keepMs, wrappedKey, tenantBytesMax };
      const bytesLeft = await records.begin(result);
      if (bytesLeft === undefined)
        return { notKept: 'The kept results of the tenant have reached their limit of bytes.' };
      const upload = new BufferedUpload(store.create(name), { bytesMax: bytesLeft });
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
      return { notKept: 'The result cannot be recorded as kept.' };
    }
  }

  /** Opens a kept result of an account. Returns undefined if there is none. Throws errors of the store, and DamagedResultError. */
  async open(caller: Caller, queryId: string): Promise<OpenedKeptResult | undefined> {
    const { records, store, storeKey } = this.#dependencies;
    const { tenant, kind, id } = caller.principal;
    const name = { tenantId: tenant.id, queryId };
    const kept = await records.find(name);
    if (kept === undefined || kept.accountKind !== kind || kept.accountId !== id) return undefined;
    const key = unwrapResultKey(tenantKeyOf(storeKey, tenant.id), kept.wrappedKey, name);
    const opened: OpenResult = await store.open(name, kept.bytes);
    try {
      const reader = await ResultReader.open(opened, new ChunkCipher(key, name));
      const { ranAtMs } = reader.header;
      return {
        kept,
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

  #bytesMaxOf({ settings }: Tenant): number {
    return settings.keptBytesMax ?? this.#dependencies.defaults.keptBytesMax;
  }

  #keeping({ spec, upload, tenantBytesMax }: UploadingResult): Keeping {
    const { records, log } = this.#dependencies;
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
      return { notKept: reason };
    };
    return {
      spec,
      onStored,
      async finish() {
        isOver = true;
        if (end === undefined) return drop(notKept ?? upload.failure ?? 'The worker sent no complete result.');
        const failure = await upload.finish();
        if (failure !== undefined) return drop(failure);
        const { rows, sha256 } = end;
        try {
          const expires = await records.finish({ ...spec, rows, bytes: upload.bytes, sha256, tenantBytesMax });
          if (expires !== undefined) return { untilMs: expires.getTime() };
          return drop('The kept results of the tenant would exceed their limit of bytes.');
        } catch (err) {
          log.warn({ err, query: spec.queryId }, 'a result cannot be recorded as kept');
          return drop('The result cannot be recorded as kept.');
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
