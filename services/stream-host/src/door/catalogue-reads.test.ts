import { describe, expect, it } from '@jest/globals';
import { type AuditRecord, type Caller, ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { CatalogueReads } from './catalogue-reads.ts';

/** A log that fails while `isDown`. */
function createLog() {
  const records: AuditRecord[] = [];
  const log = {
    records,
    isDown: false,
    async append(record: AuditRecord) {
      if (log.isDown) throw new ProblemError('audit_unavailable', 'The audit log is not writable.');
      records.push(record);
    },
  };
  return log;
}

const ANN = buildCaller('ann');
const SQL = 'SHOW TABLES';
const metadataOf = ({ records }: ReturnType<typeof createLog>) => records.map(({ metadata }) => metadata);

describe('records of reads of the catalogue', () => {
  it('are written before the read, and count equal ones when their time has passed', async () => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit, windowMs: 0.001 });
    await reads.record(ANN, SQL);
    expect(audit.records).toMatchObject([
      { action: 'READ_CATALOG', user: 'ann@example.com', requestId: 'r', metadata: { sql: SQL, within_s: 0.000001 } },
    ]);
    await reads.writeCounts();
    expect(audit.records).toHaveLength(1);
  });

  it('count equal reads of a caller, whatever their requests, on one further record', async () => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit });
    for (const requestId of ['r1', 'r2', 'r3']) await reads.record({ ...ANN, requestId }, SQL);
    await reads.writeCounts();
    expect(metadataOf(audit)).toEqual([{ sql: SQL, within_s: 60 }]);
    await reads[Symbol.asyncDispose]();
    expect(metadataOf(audit)).toEqual([
      { sql: SQL, within_s: 60 },
      { sql: SQL, repeats: 2, since_ts: expect.any(Number) },
    ]);
  });

  it.each<[string, Caller, string]>([
    ['other SQL', ANN, 'SHOW SCHEMAS'],
    ['another account', buildCaller('bob'), SQL],
    ['another address', { ...ANN, address: '192.0.2.2' }, SQL],
    ['another session', { ...ANN, principal: { ...ANN.principal, sessionId: 's' } }, SQL],
    ['another program', { ...ANN, userAgent: 'jdbc' }, SQL],
  ])('are separate for %s', async (_, caller, sql) => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit });
    await reads.record(ANN, SQL);
    await reads.record(caller, sql);
    expect(audit.records).toHaveLength(2);
  });

  it('fail the read when they cannot be written, and the next read too', async () => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit });
    audit.isDown = true;
    const failed = await Promise.allSettled([reads.record(ANN, SQL), reads.record(ANN, SQL)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    audit.isDown = false;
    await reads.record(ANN, SQL);
    expect(audit.records).toHaveLength(1);
  });

  it('keep a count that cannot be written', async () => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit });
    await reads.record(ANN, SQL);
    await reads.record(ANN, SQL);
    audit.isDown = true;
    await expect(reads[Symbol.asyncDispose]()).rejects.toThrow('The audit log is not writable.');
    audit.isDown = false;
    await reads.writeCounts();
    expect(metadataOf(audit)).toMatchObject([{}, { repeats: 1 }]);
  });

  it('are one for each read when too many statements differ', async () => {
    const audit = createLog();
    const reads = new CatalogueReads({ audit, windowsMax: 1 });
    for (const sql of [SQL, 'SHOW SCHEMAS', 'SHOW SCHEMAS', SQL]) await reads.record(ANN, sql);
    expect(metadataOf(audit)).toEqual([{ sql: SQL, within_s: 60 }, { sql: 'SHOW SCHEMAS' }, { sql: 'SHOW SCHEMAS' }]);
  });

  it('are left out for a tenant that records no reads of metadata', async () => {
    const audit = createLog();
    const tenant = { ...ANN.principal.tenant, settings: { recordsMetadataReads: false } };
    await new CatalogueReads({ audit }).record({ ...ANN, principal: { ...ANN.principal, tenant } }, SQL);
    expect(audit.records).toEqual([]);
  });
});
