import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createAuditSigner, genesisHash, hexOf, SEAL_VERSION, type SealedRecord } from '@sluice/audit';
import type { AuditExport, AuditRecord, Caller } from '@sluice/contract';
import type { AuditChainStore, AuditFilter, ChainRow } from '@sluice/store/audit';
import { AuditReaderLimit } from './audit-reader-limit.ts';
import { createExportAuditLogs } from './export-audit-logs.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} };
const caller = {
  principal: { tenant, kind: 'user', id: 'u', name: 'audrey@example.com' },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;
const INPUT = { format: 'ndjson', raw: false } as unknown as AuditExport;
const NOW_MS = 1_700_000_000_000;

const rowAt = (sequence: number): ChainRow => ({
  record: { id: `id ${sequence}`, occurredUs: `${NOW_MS + sequence}000`, metadata: '{}' } as unknown as SealedRecord,
  sequence,
  version: SEAL_VERSION,
  hash: Buffer.alloc(32, sequence % 256),
  previousHash: sequence === 1 ? null : Buffer.alloc(32, (sequence - 1) % 256),
});

interface Given {
  readonly auditFails?: Error;
  readonly rowsFail?: Error;
  readonly sealed?: number;
}

/** A chain of some sealed records. Records that are sealed after the export began have higher positions. */
function fixture({ auditFails, rowsFail, sealed = 3 }: Given = {}) {
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  const windows: { after: number; through: number; filter?: AuditFilter }[] = [];
  const limit = new AuditReaderLimit(1);
  const auditChain = {
    async head() {
      calls.push('head');
      return sealed === 0
        ? undefined
        : { number: 1, sequence: sealed, payload: '{}', keyId: 'k', signature: Buffer.of() };
    },
    bounds: async () => (sealed === 0 ? undefined : { first: 1, last: sealed + 5 }),
    async rows(window: { after: number; through: number; filter?: AuditFilter }) {
      windows.push(window);
      if (rowsFail !== undefined) throw rowsFail;
      return Array.from({ length: window.through - window.after }, (_, index) => rowAt(window.after + 1 + index));
    },
  } as unknown as AuditChainStore;
  const exportLogs = createExportAuditLogs({
    auditChain,
    audit: {
      async append(record) {
        calls.push('record');
        if (auditFails !== undefined) throw auditFails;
        records.push(record);
      },
    },
    sealCommitted: async () => void calls.push('seal'),
    signer: createAuditSigner(Buffer.alloc(32, 1)),
    limit,
    retentionMs: 3_600_000,
    nameDigest: () => 'digest',
    now: () => NOW_MS,
  });
  const isSlotFree = (): boolean => {
    try {
      limit.acquire('t')[Symbol.dispose]();
      return true;
    } catch {
      return false;
    }
  };
  return { calls, records, windows, isSlotFree, export: (input = INPUT) => exportLogs(caller, input) };
}

async function linesOf(body: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
}

describe('an export', () => {
  it('seals first, is recorded before a row is read, and ends with a line that signs what was sent', async () => {
    const { calls, records, windows, isSlotFree, ...made } = fixture();
    const { body, format } = await made.export();
    expect(calls).toEqual(['seal', 'head', 'record']);
    expect(records).toMatchObject([
      { tenantId: 't', user: 'audrey@example.com', action: 'EXPORT_AUDIT_LOGS', metadata: { format: 'ndjson' } },
    ]);
    expect([windows, isSlotFree()]).toEqual([[], false]);
    const lines = await linesOf(body);
    expect(lines).toHaveLength(4);
    const end = format.read(lines.at(-1) ?? '');
    const payload = JSON.parse('payload' in end ? end.payload : '');
    const sent = lines.slice(0, -1).map((line) => `${line}\n`);
    expect(payload).toEqual({
      kind: 'export',
      tenant_id: 't',
      filter: {},
      records: 3,
      from: 1,
      sha256: createHash('sha256').update(sent.join('')).digest('hex'),
      head: { sequence: 3, hash: hexOf(genesisHash('t')) },
      issued_ts: NOW_MS,
    });
    expect(isSlotFree()).toBe(true);
  });

  it('ends at the head of the chain at its begin, in windows, without a filter if the caller gave none', async () => {
    const { windows, ...made } = fixture({ sealed: 1_200 });
    await linesOf((await made.export()).body);
    expect(windows).toEqual(
      [
        [0, 500],
        [500, 1_000],
        [1_000, 1_200],
      ].map(([after, through]) => ({ tenantId: 't', after, through, filter: {} })),
    );
  });

  it('applies a filter, records it, and hides what is older than the retention time', async () => {
    const { windows, records, ...made } = fixture();
    const input = { ...INPUT, start: 5, advance_options: { action: 'LOGIN' } } as unknown as AuditExport;
    await linesOf((await made.export(input)).body);
    const hour = 3_600_000;
    const start = Math.floor((NOW_MS - hour) / hour) * hour;
    expect(windows[0]?.filter).toEqual({ start, action: 'LOGIN' });
    expect(records[0]?.metadata).toEqual({ format: 'ndjson', start: 5, action: 'LOGIN' });
  });

  it('of an empty chain has only the signed line', async () => {
    const { windows, ...made } = fixture({ sealed: 0 });
    const { body, format } = await made.export();
    const lines = await linesOf(body);
    const end = format.read(lines[0] ?? '');
    expect(lines).toHaveLength(1);
    expect(JSON.parse('payload' in end ? end.payload : '')).toMatchObject({ records: 0, from: null });
    expect(windows).toEqual([]);
  });
});

describe('an export that fails', () => {
  it('sends nothing if it cannot be recorded, and frees the slot of its tenant', async () => {
    const { windows, isSlotFree, ...made } = fixture({ auditFails: new Error('no audit') });
    await expect(made.export()).rejects.toThrow('no audit');
    expect([windows, isSlotFree()]).toEqual([[], true]);
  });

  it('has no signed line if the chain cannot be read on, and frees the slot', async () => {
    const { isSlotFree, ...made } = fixture({ rowsFail: new Error('no database') });
    const { body } = await made.export();
    await expect(linesOf(body)).rejects.toThrow('no database');
    expect(isSlotFree()).toBe(true);
  });

  it('is rejected before it seals or records while the slot of its tenant is taken', async () => {
    const { calls, ...made } = fixture();
    await made.export();
    calls.length = 0;
    await expect(made.export()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(calls).toEqual([]);
  });
});
