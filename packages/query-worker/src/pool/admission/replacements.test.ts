import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import { MemoryWorkers } from '../../../testing/memory-workers.ts';
import { Replacements } from './replacements.ts';

const never = (): AbortSignal => new AbortController().signal;

class GrowingWorkers extends MemoryWorkers {
  override canGrow: boolean = true;
}

describe('Replacements', () => {
  it('leaves the last ready worker to requests until another one has started or none can', async () => {
    const workers = new GrowingWorkers(1);
    const replacements = new Replacements(workers);
    const worker = replacements.acquire('acme', never());
    replacements.serve();
    expect([workers.ready, replacements.enginesWanted]).toEqual([1, ['acme']]);
    workers.canGrow = false;
    replacements.serve();
    expect(await worker).toBeDefined();
    expect([workers.ready, replacements.enginesWanted]).toEqual([0, []]);
  });

  it('rejects when the statement is cancelled, when workers do not start and when the pool closes', async () => {
    const replacements = new Replacements(new MemoryWorkers(0));
    const stop = new AbortController();
    const waits = [stop.signal, never(), never(), never()].map((signal) => replacements.acquire('acme', signal));
    const results = Promise.allSettled(waits);
    stop.abort(new Error('cancelled'));
    expect(replacements.rejectFirst(new Error('no start'))).toBe(true);
    replacements.rejectAll(new ProblemError('server_shutdown', 'closing'));
    expect(replacements.rejectFirst(new Error('no start'))).toBe(false);
    expect((await results).map((one) => (one.status === 'rejected' ? one.reason.message : one.status))).toEqual([
      'cancelled',
      'no start',
      'closing',
      'closing',
    ]);
    await expect(replacements.acquire('acme', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(replacements.enginesWanted).toEqual([]);
  });
});
