import { expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import type { ContractFixture } from './contract-fixture.ts';

/** `onStop` receives the time between each abort and the end of its statement, for tests of how long that may take. */
export function describeStops(fixture: ContractFixture, onStop: (ms: number) => void = () => undefined): void {
  const reason = new ProblemError('query_cancelled', 'Cancelled by the test.');

  async function expectStop(work: (signal: AbortSignal) => Promise<unknown>, abort: AbortController): Promise<void> {
    let abortedAt = 0;
    abort.signal.addEventListener('abort', () => {
      abortedAt = performance.now();
    });
    await expect(work(abort.signal)).rejects.toBe(reason);
    onStop(performance.now() - abortedAt);
  }

  it('before it began', async () => {
    await expect(fixture.read(fixture.sql.rows(1), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await fixture.expectReady();
  });

  it.each([0, 1, 5, 20, 300])('%i ms into a statement that returns no row', async (delayMs) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), delayMs);
    await expectStop((signal) => fixture.read(fixture.sql.slow, { signal }), abort);
    await fixture.expectReady();
  });

  it('between rows that are ready', async () => {
    const abort = new AbortController();
    const read = async (signal: AbortSignal): Promise<void> => {
      const events = fixture.events(fixture.sql.rows(1_000_000_000), signal);
      for (let taken = 0; taken < 20; taken += 1) await events.next();
      abort.abort(reason);
      while ((await events.next()).done !== true);
    };
    await expectStop(read, abort);
    await fixture.expectReady();
  });

  it('while it works on the next rows', async () => {
    const abort = new AbortController();
    const read = async (signal: AbortSignal): Promise<void> => {
      const events = fixture.events(fixture.sql.slowAfterRows, signal);
      await events.next();
      await events.next();
      setTimeout(() => abort.abort(reason), 100);
      while ((await events.next()).done !== true);
    };
    await expectStop(read, abort);
    await fixture.expectReady();
  });

  it.each(['rows', 'slowAfterRows'] as const)('when its reader leaves: %s', async (kind) => {
    const sql = kind === 'rows' ? fixture.sql.rows(1_000_000_000) : fixture.sql.slowAfterRows;
    const events = fixture.events(sql, new AbortController().signal);
    await events.next();
    await events.next();
    const leftAt = performance.now();
    await events.return?.();
    onStop(performance.now() - leftAt);
    await fixture.expectReady();
  });

  it('after only its columns were read', async () => {
    const events = fixture.events(fixture.sql.slow, new AbortController().signal);
    expect(await events.next()).toMatchObject({ value: { kind: 'columns' } });
    await events.return?.();
    await fixture.expectReady();
  });
}
