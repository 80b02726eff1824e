import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics, type Metrics } from '@sluice/observability';
import { FolderResultStore, type OpenResult, type ResultStore, ResultStoreError } from '@sluice/result-store';
import { ChunkCipher, ResultWriter } from '@sluice/result-store/form';
import type { KeptResultName, KeptResultStore, ViewableResult } from '@sluice/store/queries';
import { buildCaller, until } from '@sluice/testkit';
import { openKeptResult } from '../use-cases/queries/open-kept-result.ts';
import { type Keeping, KeptResults } from './kept-results.ts';

const ROWS = Array.from({ length: 20 }, (_, id) => JSON.stringify([id, `row ${id}`])).join(',');
const HEADER = {
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'label', type: 'varchar' },
  ],
  fileTypes: ['BIGINT', 'VARCHAR'],
  timeZone: 'UTC',
};
const tenantId = randomUUID();

/** The record of one kept result, in memory. */
class OneRecord implements Pick<KeptResultStore, 'begin' | 'finish' | 'findViewable' | 'remove' | 'forget'> {
  #wrappedKey: Uint8Array | undefined;
  #kept: ViewableResult | undefined;

  async begin({ wrappedKey }: Parameters<KeptResultStore['begin']>[0]): Promise<number> {
    this.#wrappedKey = wrappedKey;
    return 1_000_000;
  }

  async finish({ rows, bytes, sha256 }: Parameters<KeptResultStore['finish']>[0]): Promise<Date> {
    const expires = new Date(Date.now() + 60_000);
    const wrappedKey = Buffer.from(this.#wrappedKey ?? []);
    const account = { accountKind: 'user', accountId: 'ann', ranBy: 'ann@example.com' } as const;
    this.#kept = {
      rows,
      bytes,
      sha256,
      expires,
      wrappedKey,
      ...account,
      isOwn: true,
      statement: undefined,
      tablesRead: {},
    };
    return expires;
  }

  async findViewable(_name: KeptResultName, { id }: { readonly id: string }): Promise<ViewableResult | undefined> {
    return id === 'ann' ? this.#kept : undefined;
  }

  async remove(): Promise<boolean> {
    this.#kept = undefined;
    return true;
  }

  async forget(): Promise<void> {}
}

/** A store that fails once a write, a read or a commit reaches a byte. */
class FailingStore implements ResultStore {
  readonly #store: ResultStore;
  /** Undefined: it does not fail. */
  failsAt: { readonly kind: 'write' | 'read' | 'commit'; readonly byte: number } | undefined;

  constructor(store: ResultStore) {
    this.#store = store;
  }

  #check(kind: 'write' | 'read' | 'commit', start: number, end: number): void {
    const { failsAt } = this;
    if (failsAt?.kind === kind && failsAt.byte >= start && failsAt.byte < end)
      throw new ResultStoreError(`The store fails at byte ${failsAt.byte}.`);
  }

  async create(identity: KeptResultName) {
    const upload = await this.#store.create(identity);
    let written = 0;
    return {
      write: async (bytes: Uint8Array): Promise<void> => {
        this.#check('write', written, written + bytes.byteLength);
        written += bytes.byteLength;
        await upload.write(bytes);
      },
      commit: async (): Promise<void> => {
        this.#check('commit', 0, 1);
        await upload.commit();
      },
      abort: () => upload.abort(),
    };
  }

  async open(identity: KeptResultName, length: number): Promise<OpenResult> {
    const opened = await this.#store.open(identity, length);
    return {
      length,
      read: async (start, end) => {
        this.#check('read', start, end);
        return await opened.read(start, end);
      },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  remove = (identity: KeptResultName): Promise<void> => this.#store.remove(identity);
  removeTenant = (id: string): Promise<void> => this.#store.removeTenant(id);
  list = () => this.#store.list();
  [Symbol.asyncDispose] = () => this.#store[Symbol.asyncDispose]();
}

let folder: string;
let store: FailingStore;
let metrics: Metrics;
let results: KeptResults;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-faults-'));
  store = new FailingStore(new FolderResultStore(folder));
  metrics = createMetrics('test');
  results = new KeptResults({
    hostId: randomUUID(),
    records: new OneRecord() as unknown as KeptResultStore,
    store,
    storeKey: randomBytes(32),
    defaults: { keepTimeMaxMs: 3_600_000, keptBytesMax: 1_000_000 },
    checkView: async () => undefined,
    metrics,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const callerNamed = (id: string) => {
  const caller = buildCaller(id);
  return { ...caller, principal: { ...caller.principal, tenant: { ...caller.principal.tenant, id: tenantId } } };
};
const ann = callerNamed('ann');

/** Writes the rows as a worker does. Returns the number of their sealed bytes, and the outcome. */
async function keepRows(queryId: string) {
  const request = { engine: 'duckdb', sql: 'SELECT', parameters: [], timeZone: 'UTC', rowsMax: undefined } as const;
  const begun = await results.begin({ caller: ann, queryId, keepMs: 60_000, request });
  if (!('spec' in begun)) throw new Error(begun.notKept);
  const keeping: Keeping = begun;
  const { spec, onStored } = keeping;
  let bytes = 0;
  const { engine, sqlSha256 } = spec;
  const writer = new ResultWriter({
    cipher: new ChunkCipher(Buffer.from(spec.key, 'base64'), spec),
    // Always the same: the compressed length of a time depends on its digits, and every byte of the first result is one of the others.
    header: { ...HEADER, engine, ranAtMs: 0, sqlSha256 },
    emit: (part) => {
      bytes += part.byteLength;
      onStored({ kind: 'bytes', bytes: part, release: () => undefined });
    },
  });
  await writer.add(20, Buffer.from(ROWS));
  const { rows, rowBytes, sha256 } = await writer.end(false);
  onStored({ kind: 'end', end: { rows, rowBytes, sha256 } });
  return { bytes, outcome: await keeping.finish() };
}

async function readRows(queryId: string): Promise<string> {
  await using opened = await openKeptResult(results, ann, queryId);
  const parts: Buffer[] = [];
  for await (const { list } of opened.reader.chunks()) parts.push(list);
  return Buffer.concat(parts).toString();
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const notKeptOf = async () =>
  (await metrics.resultsNotKept.get()).values.find(({ labels }) => labels.reason === 'store_failed')?.value;

describe('a store that fails at a byte', () => {
  it('while a result is written: the result is not kept, and nothing of it stays or can be read', async () => {
    const complete = randomUUID();
    const { bytes } = await keepRows(complete);
    for (let byte = 0; byte < bytes; byte += 1) {
      const queryId = randomUUID();
      store.failsAt = { kind: 'write', byte };
      expect((await keepRows(queryId)).outcome).toEqual({ notKept: 'The result store failed.' });
      await expect(openKeptResult(results, ann, queryId)).rejects.toMatchObject({ code: 'not_found' });
    }
    store.failsAt = { kind: 'commit', byte: 0 };
    expect((await keepRows(randomUUID())).outcome).toEqual({ notKept: 'The result store failed.' });
    await until(async () => ((await files()).length === 1 ? true : undefined), { what: 'the removal of all parts' });
    expect(await files()).toEqual([complete]);
    expect(await notKeptOf()).toBe(bytes + 1);
  });

  it('while a result is read: the view fails with 503, and the result is complete afterwards', async () => {
    const queryId = randomUUID();
    const { bytes, outcome } = await keepRows(queryId);
    expect(outcome).toEqual({ untilMs: expect.any(Number) });
    for (let byte = 0; byte < bytes; byte += 1) {
      store.failsAt = { kind: 'read', byte };
      await expect(readRows(queryId)).rejects.toMatchObject({ code: 'storage_unavailable' });
      store.failsAt = undefined;
      if (byte % 50 === 0) expect(await readRows(queryId)).toBe(`[${ROWS}]`);
    }
    await expect(openKeptResult(results, callerNamed('bob'), queryId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await metrics.resultsKept.get()).values[0]?.value).toBe(1);
    expect((await metrics.keptBytes.get()).values[0]?.value).toBe(bytes);
  });
});
