import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SEAL_VERSION, type SealedRecord } from '@sluice/audit';
import { type AuditRecord, type Caller, ProblemError } from '@sluice/contract';
import type { AuditChainStore, ChainRow } from '@sluice/store/audit';
import { AuditReaderLimit } from './audit-reader-limit.ts';
import { createFollowAuditLogs } from './follow-audit-logs.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} };
const caller = {
  principal: { tenant, kind: 'user', id: 'u', name: 'audrey@example.com', sessionId: 's' },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;
const account = { id: 'u', disabled: false, permissions: ['audit:read'] };
const LIVE = { tenant, account, sessionLive: true, keyRevoked: false };

/**
 * The clock does not go back: test files share the timer of heartbeats, which would fire a minute late in the files that follow. The
 * start is a whole number, because with a fraction 5,000 ms later may be 4,999.999 ms later.
 */
const startMs = Math.ceil(performance.now());
let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => startMs + nowMs);
});
afterEach(() => {
  jest.spyOn(performance, 'now').mockRestore();
});

const rowAt = (sequence: number): ChainRow => ({
  record: { id: `id ${sequence}`, occurredUs: '1700000000000000', metadata: '{}' } as unknown as SealedRecord,
  sequence,
  version: SEAL_VERSION,
  hash: Buffer.alloc(32, sequence),
  previousHash: Buffer.alloc(32, sequence - 1),
});

interface Given {
  readonly sealed?: number;
  readonly auditFails?: Error;
  readonly noteFails?: Error;
  readonly status?: () => Promise<unknown>;
  /** Called by each read of rows. */
  readonly onRows?: () => void;
  /** Whether the record of a sequence matches. Default: all do. */
  readonly isMatch?: (sequence: number) => boolean;
}

function fixture(given: Given = {}) {
  const records: AuditRecord[] = [];
  const notes: unknown[] = [];
  const abort = new AbortController();
  const limit = new AuditReaderLimit(1);
  const state = { sealed: given.sealed ?? 2, isServing: true };
  const outages: unknown[] = [];
  const follow = createFollowAuditLogs({
    auditChain: {
      head: async () => ({ sequence: state.sealed }),
      async rows({ after, through }: { after: number; through: number }) {
        given.onRows?.();
        const sequences = Array.from({ length: through - after }, (_, index) => after + 1 + index);
        return sequences.filter(given.isMatch ?? (() => true)).map(rowAt);
      },
      dropPayloads: async () => [],
    } as unknown as AuditChainStore,
    audit: {
      async append(record) {
        if (given.auditFails !== undefined) throw given.auditFails;
        records.push(record);
      },
    },
    authStatus: { ofCaller: (async () => (await given.status?.()) ?? LIVE) as never },
    sessions: {
      async noteStream(tenantId, sid) {
        notes.push([tenantId, sid, nowMs]);
        if (given.noteFails !== undefined) throw given.noteFails;
      },
    },
    limit,
    retentionMs: 3_600_000,
    nameDigest: () => 'digest' as never,
    now: () => 1_700_000_000_000,
    sseHeartbeatMs: 60_000,
    isServing: () => state.isServing,
    onOutage: (_caller, err) => void outages.push(err),
  });
  const isSlotFree = (): boolean => {
    try {
      limit.acquire('t')[Symbol.dispose]();
      return true;
    } catch {
      return false;
    }
  };
  const start = (after: number | undefined) => follow(caller, { after, options: {}, signal: abort.signal });
  return { records, notes, abort, state, isSlotFree, start, outages };
}

/** Returns the ids of the events of the next chunk; undefined at the end. */
async function nextIds(events: AsyncIterator<Uint8Array>): Promise<readonly number[] | undefined> {
  const step = await events.next();
  if (step.done === true) return undefined;
  return [
    ...Buffer.from(step.value)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));
}

/** Reads the position with which a stream begins. */
async function opened(stream: Promise<AsyncIterable<Uint8Array>>, position = 0): Promise<AsyncIterator<Uint8Array>> {
  const events = (await stream)[Symbol.asyncIterator]();
  expect(await events.next()).toEqual({ done: false, value: new TextEncoder().encode(`id: ${position}\n\n`) });
  return events;
}

describe('following the log', () => {
  it('is recorded with its position, and sends each record once and in order', async () => {
    const { start, records, state } = fixture();
    const events = await opened(start(0));
    expect(records).toMatchObject([{ action: 'FOLLOW_AUDIT_LOGS', metadata: { after: 0 } }]);
    expect(await nextIds(events)).toEqual([1, 2]);
    state.sealed = 4;
    expect(await nextIds(events)).toEqual([3, 4]);
    await events.return?.();
  });

  it('begins after the last sealed record without a position', async () => {
    const { start, records, state } = fixture({ sealed: 7 });
    const events = await opened(start(undefined), 7);
    expect(records[0]?.metadata).toEqual({ after: 7 });
    state.sealed = 8;
    expect(await nextIds(events)).toEqual([8]);
    await events.return?.();
  });

  it('says in steps that it has passed over records that do not match, and reads none of them again', async () => {
    let reads = 0;
    const { start } = fixture({ sealed: 25_000, isMatch: (sequence) => sequence === 24_999, onRows: () => ++reads });
    const events = await opened(start(0));
    expect(await nextIds(events)).toEqual([10_000]);
    expect(await nextIds(events)).toEqual([20_000]);
    expect(await nextIds(events)).toEqual([24_999]);
    expect(await nextIds(events)).toEqual([25_000]);
    expect(reads).toBe(25_000 / 500 + 1);
    await events.return?.();
  });

  it('does not begin if it cannot be recorded, and frees the slot of its tenant', async () => {
    const { start, isSlotFree } = fixture({ auditFails: new Error('no audit') });
    await expect(start(0)).rejects.toThrow('no audit');
    expect(isSlotFree()).toBe(true);
  });

  it.each(['the client disconnects', 'the host shuts down'])('ends when %s, and frees the slot', async (reason) => {
    const { start, abort, state, isSlotFree } = fixture();
    const events = await opened(start(0));
    await nextIds(events);
    expect(isSlotFree()).toBe(false);
    if (reason === 'the host shuts down') state.isServing = false;
    else abort.abort();
    expect(await nextIds(events)).toBeUndefined();
    expect(isSlotFree()).toBe(true);
  });

  it('continues after an outage of the database without a gap, and reports each outage once', async () => {
    let failuresLeft = 2;
    const down = new ProblemError('service_unavailable', 'down');
    const { start, state, outages } = fixture({
      onRows: () => {
        if (failuresLeft-- > 0) throw down;
      },
    });
    const events = await opened(start(0));
    expect(await nextIds(events)).toEqual([1, 2]);
    expect(outages).toEqual([down]);
    failuresLeft = 1;
    state.sealed = 3;
    expect(await nextIds(events)).toEqual([3]);
    expect(outages).toEqual([down, down]);
    await events.return?.();
  });

  it('fails for any other error, so that its client reconnects', async () => {
    const { start, isSlotFree } = fixture({
      onRows: () => {
        throw new TypeError('a bug');
      },
    });
    const events = await opened(start(0));
    await expect(events.next()).rejects.toThrow('a bug');
    expect(isSlotFree()).toBe(true);
  });
});

describe('the caller is checked before each batch of records, and the stream', () => {
  it.each([
    ['the session ended', { ...LIVE, sessionLive: false }],
    ['the key of the session was revoked', { ...LIVE, keyRevoked: true }],
    ['the account is disabled', { ...LIVE, account: { ...account, disabled: true } }],
    ['the account was removed', { ...LIVE, account: undefined }],
    ['the permission was removed', { ...LIVE, account: { ...account, permissions: ['query:run'] } }],
    ['the tenant is suspended', { ...LIVE, tenant: { ...tenant, state: 'suspended' } }],
  ])('ends when %s', async (_name, lost) => {
    let status = LIVE as object;
    const { start, state } = fixture({ status: async () => status });
    const events = await opened(start(0));
    expect(await nextIds(events)).toEqual([1, 2]);
    state.sealed = 3;
    status = lost;
    expect(await nextIds(events)).toBeUndefined();
  });

  it('ends within 5 s without records', async () => {
    let status: object = LIVE;
    const { start } = fixture({ status: async () => status });
    const events = await opened(start(2), 2);
    status = { ...LIVE, sessionLive: false };
    nowMs = 5_000;
    expect(await nextIds(events)).toBeUndefined();
  });

  it('sends no record while the right cannot be read, and all of them afterwards', async () => {
    const failures = [new Error('no database')];
    const { start } = fixture({
      status: async () => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return LIVE;
      },
    });
    const events = await opened(start(0));
    expect(await nextIds(events)).toEqual([1, 2]);
    expect(failures).toEqual([]);
    await events.return?.();
  });
});

it('a stream keeps its session from counting as idle, with a note every 10 s that may fail', async () => {
  const { start, state, notes } = fixture({ noteFails: new Error('no database') });
  const events = await opened(start(0));
  for (const ms of [0, 9_999, 10_000]) {
    nowMs = ms;
    await nextIds(events);
    state.sealed += 1;
  }
  await events.return?.();
  expect(notes).toEqual([
    ['t', 's', 0],
    ['t', 's', 10_000],
  ]);
});
