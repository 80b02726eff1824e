import { describe, expect, it } from '@jest/globals';
import { type RunningHost, runHost } from './run-host.ts';

type Signal = 'SIGTERM' | 'SIGINT';

/** A process that records its exit codes. */
function createProcess() {
  const listeners = new Map<Signal, () => void>();
  const exits: number[] = [];
  return {
    exits,
    send: (signal: Signal): void => listeners.get(signal)?.(),
    onSignal: (signal: Signal, listener: () => void): void => void listeners.set(signal, listener),
    printError: (): void => undefined,
    exit: (code: number): void => void exits.push(code),
  };
}

const hostThatDrains = (drain: () => Promise<void>): RunningHost => ({
  url: 'http://127.0.0.1:1',
  port: 1,
  drain,
  [Symbol.asyncDispose]: async () => undefined,
});

describe('runHost', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at %s while the host starts, also as process 1, which has no default action', (signal, code) => {
    const process = createProcess();
    void runHost(() => new Promise(() => undefined), process);
    process.send(signal);
    expect(process.exits).toEqual([code]);
  });

  it('drains at the first signal and exits with 0', async () => {
    const process = createProcess();
    await runHost(async () => hostThatDrains(async () => undefined), process);
    process.send('SIGTERM');
    await new Promise(setImmediate);
    expect(process.exits).toEqual([0]);
  });

  it('exits with 1 at the second signal, while the drain goes on', async () => {
    const process = createProcess();
    await runHost(async () => hostThatDrains(() => new Promise(() => undefined)), process);
    process.send('SIGTERM');
    process.send('SIGTERM');
    expect(process.exits).toEqual([1]);
  });
});
