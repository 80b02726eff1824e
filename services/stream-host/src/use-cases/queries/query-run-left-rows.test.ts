import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { COLUMNS, createRun, END, readBody, rows } from '../../../tests/queries/query-run-fixture.ts';
import type { Keeping } from '../../queries/kept-results.ts';

interface Given {
  readonly notKept?: string;
  readonly keeping?: Partial<Keeping>;
}

/** A query whose result is kept, as rows of pages. */
function fixture({ notKept, keeping = {} }: Given = {}) {
  const ends: string[] = [];
  const whole: Keeping = {
    spec: {} as Keeping['spec'],
    onStored: () => true,
    failure: undefined,
    finish: async () => {
      ends.push('finish');
      return notKept === undefined ? { untilMs: 5 } : { notKept };
    },
    abandon: async () => void ends.push('abandon'),
    revoke: async () => void ends.push('revoke'),
  };
  const given: Keeping = Object.assign(keeping, { ...whole, ...keeping });
  const steps = [COLUMNS, rows('[1]'), rows(',\n[2]'), END];
  return { ...createRun({ format: 'trino', steps, keeping: given }), ends };
}

describe('a query whose rows are left to the store', () => {
  it('has a receipt of all of them, as a client would have read them', async () => {
    const { run, recorded, live } = fixture();
    expect([run.columns, run.isKept, run.leaveRowsToStore()]).toEqual([undefined, false, true]);
    const { text, thrown } = await readBody(run.fileBody());
    expect([text, thrown, run.isKept, live.pace]).toEqual(['[1],\n[2]', undefined, true, undefined]);
    expect(run.columns).toEqual([{ name: 'n', type: 'integer' }]);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(recorded).toMatchObject([{ state: 'FINISHED', rows: 2, bytes: text.length, sha256 }]);
  });

  it('fails if the store does not keep it in the end', async () => {
    const { run, recorded } = fixture({ notKept: 'The store is full.' });
    expect(run.leaveRowsToStore()).toBe(true);
    const { thrown } = await readBody(run.fileBody());
    expect(thrown).toMatchObject({ code: 'query_cancelled', message: expect.stringContaining('The store is full.') });
    expect([recorded[0]?.state, run.isKept]).toEqual(['CANCELLED', false]);
  });

  it('stops as soon as the store fails', () => {
    const keeping: { failure: string | undefined } = { failure: undefined };
    const { run, stop } = fixture({ keeping });
    expect([run.leaveRowsToStore(), stop.signal.aborted]).toEqual([true, false]);
    keeping.failure = 'The store failed.';
    expect([run.leaveRowsToStore(), stop.signal.aborted]).toEqual([false, true]);
    expect(stop.signal.reason).toMatchObject({ message: expect.stringContaining('The store failed.') });
  });
});

describe('a query whose rows stay with its reader', () => {
  it('succeeds whether or not the store keeps it', async () => {
    const { run, recorded } = fixture({ notKept: 'The store is full.' });
    const { text, thrown } = await readBody(run.fileBody());
    expect([text, thrown, recorded[0]?.state, run.isKept]).toEqual(['[1],\n[2]', undefined, 'FINISHED', false]);
  });

  it('is not left to a store that has failed, or that does not have it', () => {
    expect(fixture({ keeping: { failure: 'The store failed.' } }).run.leaveRowsToStore()).toBe(false);
    expect(createRun({ format: 'csv', steps: [COLUMNS, END] }).run.leaveRowsToStore()).toBe(false);
  });
});
