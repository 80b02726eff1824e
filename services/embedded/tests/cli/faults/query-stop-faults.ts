import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { caseSeed, seededRandom } from '@sluice/testkit';
import type { FaultCase } from './fault-case.ts';
import { LIMITED, mountSmall } from './place-faults.ts';
import type { LongTarget } from './signal-faults.ts';
import { nextMarker } from './signal-faults.ts';

const OUTPUT = 'out.txt';
/** Seed of the moment before the first row at which a process is killed. */
const SEED = caseSeed();
/** Time between two presses of Ctrl-C. */
const AGAIN_MS = 100;

const untilRows = (child: ChildProcess): Promise<unknown> => once(child.stdout ?? child, 'data');

/** Waits for the first rows, and then sends the signals. */
const sendWithRows =
  (...signals: readonly NodeJS.Signals[]) =>
  async (child: ChildProcess): Promise<void> => {
    await untilRows(child);
    for (const [index, signal] of signals.entries()) {
      if (index > 0) await delay(AGAIN_MS);
      child.kill(signal);
    }
  };

type Ending = Omit<FaultCase, 'target' | 'words' | 'leaves' | 'stopped'>;

/** Signals, and readers that leave. */
const STOPS: readonly Ending[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
    fault: signal,
    onStart: sendWithRows(signal),
    exitCode: 130,
    message: /^Cancelled in the engine after [\d,]+ rows\.$/,
  })),
  {
    fault: 'SIGINT twice, while the host does not confirm',
    // The second one ends the process immediately, so nothing is said about the confirmation.
    damage: (proxy) => proxy.reply('/query/', ...Array.from({ length: 10 }, () => 'silent' as const)),
    onStart: sendWithRows('SIGINT', 'SIGINT'),
    exitCode: 130,
    message: '',
  },
  {
    fault: 'SIGINT, while the host does not confirm',
    damage: (proxy) => proxy.reply('/query/', ...Array.from({ length: 10 }, () => 'silent' as const)),
    onStart: sendWithRows('SIGINT'),
    exitCode: 130,
    message: /^Cancelled after [\d,]+ rows; the engine has not confirmed it yet\. See `sluice api GET .*`\.$/,
  },
  {
    fault: 'reader leaves (SIGPIPE)',
    onStart: async (child) => {
      await untilRows(child);
      child.stdout?.destroy();
    },
    exitCode: 141,
    message: '',
  },
  { fault: 'kill -9 while rows arrive', onStart: sendWithRows('SIGKILL'), exitCode: undefined, message: '' },
  {
    fault: `kill -9 before the first row (seed ${SEED})`,
    onStart: async (child) => {
      await delay(seededRandom(SEED)() * 500);
      child.kill('SIGKILL');
    },
    exitCode: undefined,
    message: '',
  },
];

const FULL = /^error: The output could not be written: .*(?:ENOSPC|EFBIG).* Make room, or write it elsewhere\.$/;

/** Files behind stdout that cannot take all rows. */
const outputs = (canMount: boolean): readonly (Ending & Pick<FaultCase, 'leaves'>)[] => [
  { fault: '/dev/full as stdout', stdout: '/dev/full', exitCode: 1, message: FULL, leaves: 'nothing' },
  {
    fault: 'limited size of the file behind stdout',
    wrapper: LIMITED,
    stdout: OUTPUT,
    exitCode: 1,
    message: FULL,
    leaves: 'the output',
  },
  ...(canMount
    ? [
        {
          fault: 'full disk of 1 MB behind stdout',
          place: async (folder: string) => (await mountSmall(folder, 'rw')) ?? folder,
          stdout: OUTPUT,
          exitCode: 1,
          message: FULL,
          leaves: 'the output',
        } as const,
      ]
    : []),
];

/** Everything that ends a query whose rows would never end: the statement ends in the engine too. */
export function queryStopFaults({ name, words, search }: LongTarget, canMount: boolean): FaultCase[] {
  return [...STOPS.map((each) => ({ ...each, leaves: 'nothing' as const })), ...outputs(canMount)].map((each) => {
    const marker = nextMarker();
    return { ...each, target: name, words: words(marker), stopped: search(marker) };
  });
}
