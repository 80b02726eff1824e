import { describe, expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import type { AuditRecord } from '@sluice/contract';
import type { AuditChainStore } from '@sluice/store/audit';
import { buildCaller } from '@sluice/testkit';
import { AuditReaderLimit } from './audit-reader-limit.ts';
import { createExportAuditEvidence } from './export-audit-evidence.ts';

const caller = buildCaller('audrey', ['audit:read']);
const NOW_MS = 1_700_000_000_000;
const RANGE = { start: NOW_MS - 1_000, end: NOW_MS };

function fixture(auditFails?: Error) {
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  const bounds: unknown[] = [];
  const limit = new AuditReaderLimit(1);
  const exportEvidence = createExportAuditEvidence({
    auditChain: {
      head: async () => {
        calls.push('head');
        return undefined;
      },
      bounds: async (_tenantId: string, range: unknown) => {
        bounds.push(range);
        return undefined;
      },
      keys: async () => [],
      checkpoints: async () => [],
      dropPayloads: async () => [],
      rows: async () => [],
    } as unknown as AuditChainStore,
    audit: {
      append: async (record) => {
        calls.push('record');
        if (auditFails !== undefined) throw auditFails;
        records.push(record);
      },
    },
    sealCommitted: async () => void calls.push('seal'),
    signer: createAuditSigner(Buffer.alloc(32, 1)),
    limit,
    retentionMs: 3_600_000,
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
  return { calls, records, bounds, isSlotFree, export: (range = RANGE) => exportEvidence(caller, range) };
}

describe('an evidence package', () => {
  it('seals first, is recorded before its first byte, and holds a slot until it is read', async () => {
    const { calls, records, isSlotFree, ...made } = fixture();
    const bytes = await made.export();
    expect([calls, isSlotFree()]).toEqual([['seal', 'head', 'record'], false]);
    expect(records).toMatchObject([{ action: 'EXPORT_AUDIT_EVIDENCE', target: 'audit_log', metadata: RANGE }]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    expect(Buffer.concat(chunks).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    expect(isSlotFree()).toBe(true);
  });

  it('has nothing of before the time that the tenant keeps', async () => {
    const { bounds, ...made } = fixture();
    await made.export({ start: 0, end: NOW_MS });
    await made.export({ start: 0, end: 5 }).catch(() => undefined);
    expect(bounds).toEqual([{ start: 1_699_995_600_000, end: NOW_MS }]);
  });

  it('that cannot be recorded is not sent, and frees its slot', async () => {
    const { isSlotFree, ...made } = fixture(new Error('no audit'));
    await expect(made.export()).rejects.toThrow('no audit');
    expect(isSlotFree()).toBe(true);
  });

  it('is rejected while another one of the tenant is read', async () => {
    const { export: exportEvidence, calls } = fixture();
    await exportEvidence();
    await expect(exportEvidence()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(calls).toEqual(['seal', 'head', 'record']);
  });
});
