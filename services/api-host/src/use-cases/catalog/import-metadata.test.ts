import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, Caller, MetadataImportRequest, MetadataObject, Permission } from '@sluice/contract';
import {
  type FactReference,
  type FoundFact,
  type MetadataDecision,
  type MetadataStore,
  type MetadataWriteOptions,
  referenceKey,
} from '@sluice/store/catalog';
import { createAuthorizeImport, createImportMetadata } from './import-metadata.ts';

const callerOf = (permissions: readonly Permission[] = ['metadata:write'], tenantId = 't'): Caller => ({
  principal: {
    tenant: { id: tenantId, name: 'acme', state: 'active', settings: {} },
    kind: 'user',
    id: 'me',
    name: 'me@example.com',
    roles: [],
    permissions: new Set(permissions),
    authenticatedAtMs: 0,
  },
  requestId: 'r',
  address: '192.0.2.1',
  userAgent: undefined,
});
const caller = callerOf();

const orders: FactReference = { type: 'TABLE', catalog: 'c', schema: 's', name: 'orders' };
const factOf = (factId: string): FoundFact => ({
  factId,
  type: 'TABLE',
  version: 1,
  displayName: factId,
  description: null,
  tags: [],
  domains: [],
  fields: new Map(),
});

const objectOf = (change: Partial<MetadataObject> = {}): MetadataObject => ({
  type: 'TABLE',
  id: 'c.s.orders',
  add_tags: ['raw'],
  ...change,
});
const requestOf = (...objects: MetadataObject[]): MetadataImportRequest => ({ metadata_objects: objects });

/** Store with the table c.s.orders, which keeps decisions by Idempotency-Key as the real one does. */
function fixture(hold?: Promise<void>) {
  const options: MetadataWriteOptions[] = [];
  const decisions: MetadataDecision[] = [];
  const replays: AuditRecord[] = [];
  const claimed = new Map<string, { readonly digest: string; readonly response: MetadataDecision['response'] }>();
  let running = 0;
  let runningMax = 0;
  const metadata: Pick<MetadataStore, 'change'> = {
    async change(wanted, decide, recordReplay) {
      options.push(wanted);
      runningMax = Math.max(runningMax, ++running);
      await hold;
      running--;
      const { idempotency } = wanted;
      const digest = Buffer.from(idempotency?.digest ?? '').toString('hex');
      const earlier = claimed.get(idempotency?.key ?? '');
      if (earlier !== undefined && earlier.digest !== digest) return { kind: 'other request' };
      if (earlier !== undefined) {
        replays.push(recordReplay());
        return { kind: 'replayed', response: earlier.response };
      }
      const facts = new Map([[referenceKey(orders), factOf('f')]]);
      const decision = decide({ facts, domainIds: new Set() });
      decisions.push(decision);
      if (idempotency !== undefined) claimed.set(idempotency.key, { digest, response: decision.response });
      return { kind: 'done', response: decision.response };
    },
  };
  const importMetadata = createImportMetadata({ metadata });
  const send = (request: MetadataImportRequest, key?: string, as = caller) =>
    importMetadata(as, { request, key, version: undefined });
  return { options, decisions, replays, send, runningMax: () => runningMax };
}

/** Keeps the store from responding until `release`. */
function createHold() {
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { hold, release: () => release() };
}

const parseBody = ({ body }: { readonly body: string }) => JSON.parse(body);

describe('an import', () => {
  it('returns the result of each object in order, with their numbers', async () => {
    const { send } = fixture();
    const response = await send(requestOf(objectOf(), objectOf({ id: 'c.s.missing' }), objectOf({ id: 'no name' })));
    expect([response.status, response.isReplay]).toEqual([200, false]);
    expect(parseBody(response)).toMatchObject({
      metadata_results: [{ success: true }, { success: false }, { success: false }],
      success_count: 1,
      failure_count: 2,
      total_count: 3,
    });
  });

  it('asks the store for each valid name, with the names of its fields, and for each domain once', async () => {
    const { send, options } = fixture();
    const one = '00000000-0000-4000-8000-00000000000a';
    const other = '00000000-0000-4000-8000-00000000000b';
    await send(
      requestOf(
        objectOf({ fields: [{ name: 'a' }, { name: 'b' }] as MetadataObject['fields'], domains: [one] }),
        objectOf({ id: 'no name', add_domains: [one.toUpperCase()], remove_domains: [other] }),
        objectOf({ type: 'DATAMAP', id: other }),
      ),
    );
    expect(options).toMatchObject([
      {
        tenantId: 't',
        user: 'me@example.com',
        inputs: [
          { reference: orders, fieldNames: ['a', 'b'] },
          { reference: { type: 'DATAMAP', id: other }, fieldNames: [] },
        ],
        domainIds: [one, other],
        isDryRun: false,
      },
    ]);
    expect(options[0]).not.toHaveProperty('idempotency');
  });

  it.each([
    ['404 if no object exists', callerOf(), 'c.s.missing', 404, 'not_found', 'IMPORT_METADATA'],
    ['403 if the caller may change no object', callerOf([]), 'c.s.orders', 403, 'access_denied', 'ACCESS_DENIED'],
  ])('returns %s, with all results, and writes a record', async (_name, as, id, status, error, action) => {
    const { send, decisions } = fixture();
    const response = await send(requestOf(objectOf({ id })), undefined, as);
    expect(response.status).toBe(status);
    expect(parseBody(response)).toMatchObject({ error, request_id: 'r', success_count: 0, failure_count: 1 });
    expect(decisions).toMatchObject([{ writes: [], audit: { action, target: id } }]);
  });

  it('records the changes and the error of each object', async () => {
    const { send, decisions } = fixture();
    await send(requestOf(objectOf(), objectOf({ id: 'c.s.missing' })));
    expect(decisions[0]?.audit).toMatchObject({
      action: 'IMPORT_METADATA',
      target: '2 objects',
      metadata: {
        dry_run: false,
        objects: [
          { id: 'c.s.orders', fact_id: 'f', success: true, error_message: null, changes: [expect.anything()] },
          { id: 'c.s.missing', success: false, error_message: expect.any(String), changes: [] },
        ],
      },
    });
  });
});

describe('an import with an Idempotency-Key', () => {
  it('is applied once: a repeated request gets the first response and its own record', async () => {
    const { send, decisions, replays } = fixture();
    const first = await send(requestOf(objectOf()), 'k');
    const again = await send(requestOf(objectOf()), 'k');
    expect(again).toEqual({ ...first, isReplay: true });
    expect(decisions).toHaveLength(1);
    expect(replays).toMatchObject([{ action: 'IMPORT_METADATA', target: 'c.s.orders', metadata: { replayed: true } }]);
  });

  it('is rejected if the key was sent with another body', async () => {
    const { send, decisions } = fixture();
    await send(requestOf(objectOf()), 'k');
    await expect(send(requestOf(objectOf({ add_tags: ['other'] })), 'k')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(decisions).toHaveLength(1);
  });

  it('is stored for the account and the operation, and not for a dry run', async () => {
    const { send, options } = fixture();
    await send(requestOf(objectOf()), 'k');
    await send({ ...requestOf(objectOf()), dry_run: true }, 'k');
    expect(options[0]).toMatchObject({
      isDryRun: false,
      idempotency: { accountId: 'me', operation: 'importMetadata', key: 'k', digest: expect.any(Uint8Array) },
    });
    expect(options[1]).toMatchObject({ isDryRun: true });
    expect(options[1]).not.toHaveProperty('idempotency');
  });
});

describe('imports of one tenant', () => {
  it('run two at a time, and those of another tenant beside them', async () => {
    const { hold, release } = createHold();
    const { send, runningMax } = fixture(hold);
    const sent = Array.from({ length: 5 }, () => send(requestOf(objectOf())));
    sent.push(send(requestOf(objectOf()), undefined, callerOf(['metadata:write'], 'other')));
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(runningMax()).toBe(3);
  });

  it('are rejected with too_many_requests above 200 that wait', async () => {
    const { hold, release } = createHold();
    const { send } = fixture(hold);
    const accepted = Array.from({ length: 202 }, () => send(requestOf(objectOf())));
    await expect(send(requestOf(objectOf()))).rejects.toMatchObject({ code: 'too_many_requests' });
    release();
    await Promise.all(accepted);
  });
});

describe('the permission to import', () => {
  const authorize = (owns: boolean) => createAuthorizeImport({ metadata: { ownsDatamap: async () => owns } });

  it.each([
    ['metadata:write', callerOf(), false],
    ['the ownership of a datamap', callerOf([]), true],
  ])('is %s', async (_name, caller, owns) => {
    await expect(authorize(owns)(caller)).resolves.toBeUndefined();
  });

  it('is missing without either', async () => {
    await expect(authorize(false)(callerOf(['query:run']))).rejects.toMatchObject({ code: 'access_denied' });
  });
});
