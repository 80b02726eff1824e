import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckpointPayload, RetentionSettings } from './checkpoint.ts';
import { RetentionHistory } from './retention-history.ts';

const settings = (keptMs: number, tenantMs: number | null = null): RetentionSettings => ({
  kept_ms: keptMs,
  tenant_ms: tenantMs,
});

const checkpoint = (number: number, retention?: RetentionSettings): CheckpointPayload => ({
  kind: 'checkpoint',
  tenant_id: 'tenant',
  number,
  sequence: number,
  hash: '',
  issued_ts: 0,
  previous: null,
  ...(retention === undefined ? {} : { retention }),
});

const changeTo = (after: RetentionSettings) => ({
  action: 'UPDATE_AUDIT_RETENTION',
  metadata: JSON.stringify({ before: settings(1), after }),
});

describe('RetentionHistory', () => {
  let history: RetentionHistory;
  beforeEach(() => {
    history = new RetentionHistory();
  });

  it('accepts the settings of the first checkpoint without a record', () => {
    expect(history.takeCheckpoint(checkpoint(1, settings(1)))).toBeUndefined();
    expect(history.end(settings(1))).toBeUndefined();
  });

  it('accepts a change with a record before or right after the checkpoint that signs it', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    history.takeRecord(changeTo(settings(2)));
    expect(history.takeCheckpoint(checkpoint(2, settings(2)))).toBeUndefined();
    expect(history.takeCheckpoint(checkpoint(3, settings(3)))).toBeUndefined();
    history.takeRecord(changeTo(settings(3)));
    expect(history.takeCheckpoint(checkpoint(4, settings(3)))).toBeUndefined();
    expect(history.end(settings(3))).toBeUndefined();
  });

  it('reports the checkpoint that signs a change without a record', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    history.takeCheckpoint(checkpoint(2, settings(2)));
    const finding = { kind: 'altered', checkpoint: 2 };
    expect(history.takeCheckpoint(checkpoint(3, settings(2)))).toMatchObject(finding);
    expect(history.end(settings(2))).toMatchObject(finding);
  });

  it('does not take another change for the missing record', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    history.takeCheckpoint(checkpoint(2, settings(2)));
    history.takeRecord(changeTo(settings(5)));
    expect(history.end(settings(5))).toMatchObject({ kind: 'altered', checkpoint: 2 });
  });

  it('reports settings of the database that differ from the last record, of the tenant too', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    expect(history.end(settings(2))).toMatchObject({ kind: 'altered' });
    expect(history.end(settings(1, 7))).toMatchObject({ kind: 'altered' });
  });

  it('ignores other records, checkpoints without settings and removed tenants', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    history.takeRecord({ action: 'LOGIN', metadata: JSON.stringify({ after: settings(9) }) });
    expect(history.takeCheckpoint(checkpoint(2))).toBeUndefined();
    expect(history.end(undefined)).toBeUndefined();
  });

  it('accepts the settings of a checkpoint whose records were dropped', () => {
    history.takeCheckpoint(checkpoint(1, settings(1)));
    history.skipCheckpoint(checkpoint(2, settings(2)));
    expect(history.takeCheckpoint(checkpoint(3, settings(2)))).toBeUndefined();
    expect(history.end(settings(2))).toBeUndefined();
  });
});
