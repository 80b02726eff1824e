import { setTimeout as delay } from 'node:timers/promises';
import type { FilesCatalog } from './files-catalog.ts';

interface WatchFilesOptions {
  readonly catalog: Pick<FilesCatalog, 'refresh' | 'readNextLargeFile'>;
  /** Time between the end of one look at the folder and the next; up to twice as long for a folder with thousands of files. */
  readonly everyMs: number;
  /** Aborts the work of the catalog too. */
  readonly stop: AbortController;
  /** Receives a sentence when the folder cannot be read, and none until it can be read again. */
  readonly onWarning: (message: string) => void;
}

/** Pause after a look, in times of what it took: a look at 10,000 files takes half a second. */
const BUSY_FACTOR = 10;

/**
 * Looks for changes of the files until it is disposed of. It polls, because notifications of the file system do not reach every mount,
 * and reads large files completely meanwhile.
 */
export function watchFiles({ catalog, everyMs, stop, onWarning }: WatchFilesOptions): AsyncDisposable {
  let hasFailed = false;
  const look = async (): Promise<void> => {
    try {
      await catalog.refresh({ waits: true });
      hasFailed = false;
    } catch (thrown) {
      if (stop.signal.aborted || hasFailed) return;
      hasFailed = true;
      onWarning(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const loop = async (work: () => Promise<unknown>): Promise<void> => {
    let pauseMs = everyMs;
    while (!stop.signal.aborted) {
      await delay(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      if (stop.signal.aborted) return;
      const begunMs = performance.now();
      await work();
      pauseMs = Math.max(everyMs, Math.min(2 * everyMs, BUSY_FACTOR * (performance.now() - begunMs)));
    }
  };
  const loops = [loop(look), loop(() => catalog.readNextLargeFile().catch(() => undefined))];
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}
