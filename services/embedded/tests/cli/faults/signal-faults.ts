import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { caseSeed, seededRandom, until } from '@sluice/testkit';
import type { FaultCase } from './fault-case.ts';

/** A download that runs for longer than any test. */
export interface LongTarget {
  readonly name: string;
  readonly words: (marker: string) => readonly string[];
  /** Text by which the history finds the query: the marker, or the id of an item. */
  readonly search: (marker: string) => string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const KILLS = 5;
const PART = 'out.file.part';

/** Waits until bytes are in the part file, so that the result is being sent. */
const untilReceiving = (cwd: string): Promise<unknown> =>
  until(
    async () => {
      const size = await stat(join(cwd, PART)).then(
        (found) => found.size,
        () => 0,
      );
      return size > 0 ? true : undefined;
    },
    { what: 'bytes in the part file', withinMs: 20_000 },
  );

const sendTo = (signal: NodeJS.Signals) => async (child: ChildProcess, cwd: string) => {
  await untilReceiving(cwd);
  child.kill(signal);
};

let markers = 0;
/** Returns SQL that no other statement of this process has. */
export const nextMarker = (): string => {
  markers += 1;
  return `fault ${process.pid} ${markers}`;
};

/** Signals that a process can handle: it cancels, waits for the engine, and leaves nothing. */
export function signalFaults({ name, words, search }: LongTarget): FaultCase[] {
  return SIGNALS.map((signal) => {
    const marker = nextMarker();
    return {
      target: name,
      fault: signal,
      words: words(marker),
      file: 'out.file',
      onStart: sendTo(signal),
      exitCode: 130,
      message: /^Cancelled in the engine\. out\.file was not written\.$/,
      leaves: 'nothing',
      stopped: search(marker),
    };
  });
}

/** A process that is killed at moments before, while and after it connects. Each run has the same ones, `npm run soak` random ones. */
export function killFaults({ name, words, search }: LongTarget): FaultCase[] {
  const seed = caseSeed();
  const random = seededRandom(seed);
  return Array.from({ length: KILLS }, (_, index) => {
    const marker = nextMarker();
    const afterMs = 100 + index * 250 + Math.floor(random() * 250);
    return {
      target: name,
      fault: `kill -9 after ${afterMs} ms (seed ${seed})`,
      words: words(marker),
      file: 'out.file',
      onStart: async (child) => {
        await delay(afterMs);
        child.kill('SIGKILL');
      },
      exitCode: undefined,
      message: '',
      leaves: 'at most a part',
      stopped: search(marker),
    };
  });
}

/** Leaves while the response has no header yet, and by closing the pipe. */
export function leavingFaults({ name, words, search }: LongTarget, silent: LongTarget): FaultCase[] {
  const [reader, waiting, killed] = [nextMarker(), nextMarker(), nextMarker()];
  return [
    {
      target: `${name} -o -`,
      fault: 'reader leaves (SIGPIPE)',
      words: words(reader),
      onStart: async (child) => {
        await new Promise((resolve) => child.stdout?.once('data', resolve));
        child.stdout?.destroy();
      },
      exitCode: 141,
      message: '',
      leaves: 'nothing',
      stopped: search(reader),
    },
    {
      target: name,
      fault: 'SIGINT before the first byte',
      words: silent.words(waiting),
      file: 'out.file',
      onStart: async (child) => {
        await delay(1500);
        child.kill('SIGINT');
      },
      exitCode: 130,
      message: /^Cancelled\. The connection is closed, so the host stops the query\. out\.file was not written\.$/,
      leaves: 'nothing',
      stopped: silent.search(waiting),
    },
    {
      target: name,
      fault: 'kill -9 while bytes arrive',
      words: words(killed),
      file: 'out.file',
      onStart: sendTo('SIGKILL'),
      exitCode: undefined,
      message: '',
      leaves: 'at most a part',
      stopped: search(killed),
    },
  ];
}
