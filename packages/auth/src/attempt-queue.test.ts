import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import fc from 'fast-check';
import { AttemptQueue, type AttemptTurn } from './attempt-queue.ts';

const turnOf = (turn: Partial<AttemptTurn> = {}): AttemptTurn => ({
  prefix: '192.0.2.1',
  failures: 0,
  account: 'ann',
  isKnown: false,
  ...turn,
});

/** Starts attempts that run until they are ended, and records their order. */
const createAttempts = (queue = new AttemptQueue()) => {
  const started: string[] = [];
  const ends = new Map<string, (outcome?: Error) => void>();
  const run = (name: string, turn: Partial<AttemptTurn> = {}): Promise<void> =>
    queue.run(turnOf({ account: name, ...turn }), () => {
      started.push(name);
      return new Promise((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
      });
    });
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    await nextTurn();
  };
  return { queue, started, run, end };
};

describe('AttemptQueue', () => {
  it('runs three unknown attempts and a known one at a time', async () => {
    const { started, run, end } = createAttempts();
    const all = ['a', 'b', 'c', 'd'].map((name) => run(name));
    all.push(run('known', { isKnown: true }), run('known too', { isKnown: true }));
    await nextTurn();
    expect(started).toEqual(['a', 'b', 'c', 'known']);
    await end('a');
    expect(started.slice(4)).toEqual(['known too']);
    for (const name of ['b', 'c', 'known', 'known too', 'd']) await end(name);
    await Promise.all(all);
  });

  it('runs at most two unknown attempts of one account', async () => {
    const { started, run, end } = createAttempts();
    const all = ['1', '2', '3'].map((name) => run(name, { account: 'ann' }));
    all.push(run('other'));
    await nextTurn();
    expect(started).toEqual(['1', '2', 'other']);
    for (const name of ['1', '2', '3', 'other']) await end(name);
    await Promise.all(all);
  });

  it('runs the attempts of one lane sequentially', async () => {
    const { started, run, end } = createAttempts();
    const all = ['1', '2'].map((name) => run(name, { lane: 'device', isKnown: true }));
    await nextTurn();
    expect(started).toEqual(['1']);
    await end('1');
    expect(started).toEqual(['1', '2']);
    await end('2');
    await Promise.all(all);
  });

  it('starts known attempts first, then addresses with fewer failures and fewer waiting attempts', async () => {
    const { started, run, end } = createAttempts();
    const running = ['x', 'y', 'z', 'known'].map((name) => run(name, { isKnown: name === 'known' }));
    const waiting = [
      run('failed before', { prefix: '192.0.2.2', failures: 5 }),
      run('flood 1', { prefix: '192.0.2.3' }),
      run('flood 2', { prefix: '192.0.2.3' }),
      run('quiet', { prefix: '192.0.2.4' }),
      run('returning', { isKnown: true }),
    ];
    await nextTurn();
    for (const name of ['x', 'y', 'z', 'known', 'returning', 'flood 1', 'quiet', 'flood 2', 'failed before']) {
      await end(name);
    }
    await Promise.all([...running, ...waiting]);
    expect(started.slice(4)).toEqual(['returning', 'flood 1', 'quiet', 'flood 2', 'failed before']);
  });

  it('rejects an unknown attempt when 500 wait, and evicts the last one for a better attempt', async () => {
    const { run, end } = createAttempts();
    const rejected: string[] = [];
    const start = (name: string, turn: Partial<AttemptTurn> = {}) =>
      run(name, turn).catch(({ code }: ProblemError) => rejected.push(`${name}: ${code}`));
    const all = Array.from({ length: 503 }, (_, index) => start(`guess ${index}`));
    await nextTurn();
    await expect(run('one more')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    expect(rejected).toEqual([]);
    all.push(start('known', { isKnown: true }));
    await nextTurn();
    expect(rejected).toEqual(['guess 502: too_many_requests']);
    await end('guess 0', new ProblemError('service_unavailable', 'The database is unavailable.'));
    for (const name of ['guess 1', 'guess 2', 'known']) await end(name);
    await Promise.all(all);
  });

  it('rejects all waiting attempts after an outage, and none after another failure', async () => {
    const { started, run, end } = createAttempts();
    const failures: unknown[] = [];
    const all = ['1', '2', '3', '4'].map((name) => run(name).catch((error: unknown) => failures.push(error)));
    await nextTurn();
    await end('1', new Error('wrong'));
    expect([failures.length, started]).toEqual([1, ['1', '2', '3', '4']]);
    all.push(run('5').catch((error: unknown) => failures.push(error)));
    const outage = new ProblemError('service_unavailable', 'The database is unavailable.');
    await end('2', outage);
    expect(failures.slice(1)).toEqual([outage, outage]);
    for (const name of ['3', '4']) await end(name);
    await Promise.all(all);
  });

  it('removes an aborted attempt, and rejects one that is aborted before it waits', async () => {
    const { started, run, end } = createAttempts();
    const running = ['1', '2', '3'].map((name) => run(name));
    const controller = new AbortController();
    const waiting = run('4', { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(run('5', { signal: controller.signal })).rejects.toThrow('gone');
    for (const name of ['1', '2', '3']) await end(name);
    await Promise.all(running);
    expect(started).toEqual(['1', '2', '3']);
  });

  it('starts a delayed attempt after its delay', async () => {
    const queue = new AttemptQueue();
    const begun = performance.now();
    await queue.run(turnOf({ delayMs: 40 }), async () => undefined);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(40);
  });

  it('never exceeds its limits, and runs every attempt', async () => {
    const attempt = fc.record({
      prefix: fc.constantFrom('a', 'b', 'c'),
      failures: fc.nat(3),
      account: fc.constantFrom('ann', 'bob', 'cid'),
      lane: fc.option(fc.constantFrom('l1', 'l2'), { nil: undefined }),
      isKnown: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 40 }), async (attempts) => {
        const queue = new AttemptQueue();
        const running = new Set<AttemptTurn>();
        let done = 0;
        const work = (turn: AttemptTurn) => async () => {
          running.add(turn);
          const all = [...running];
          const unknown = all.filter(({ isKnown }) => !isKnown);
          expect(all.length).toBeLessThanOrEqual(4);
          expect(unknown.length).toBeLessThanOrEqual(3);
          for (const account of ['ann', 'bob', 'cid']) {
            expect(unknown.filter((each) => each.account === account).length).toBeLessThanOrEqual(2);
          }
          for (const lane of ['l1', 'l2']) {
            expect(all.filter((each) => each.lane === lane).length).toBeLessThanOrEqual(1);
          }
          await nextTurn();
          running.delete(turn);
          done += 1;
        };
        await Promise.all(attempts.map((turn) => queue.run(turn, work(turn))));
        expect(done).toBe(attempts.length);
      }),
    );
  });
});
