import { setTimeout as delay } from 'node:timers/promises';
import type { FilesCatalog } from './files-catalog.ts';

interface WatchFilesOptions {
  readonly catalog: Pick<FilesCatalog, 'refresh' | 'readNextLargeFile'>;
  /** Time between the end of one look at the folder and the next. */
  readonly everyMs: number;
  /** Aborts the work of the catalog too. */
  readonly stop: AbortController;
  /** Receives a sentence when the folder cannot be read, and none until it can be read again. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Looks for changes of the files until it is disposed of. It polls, because notifications of the file system do not reach every mount,
 * and reads large files completely meanwhile.
 */
export function watchFiles({ catalog, everyMs, stop, onTrouble }: WatchFilesOptions): AsyncDisposable {
  let isInTrouble = false;
  const look = async (): Promise<void> => {
    try {
      await catalog.refresh({ waits: true });
      isInTrouble = false;
    } catch (thrown) {
      if (stop.signal.aborted || isInTrouble) return;
      isInTrouble = true;
      onTrouble(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const loop = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stop.signal.aborted) {
      await delay(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      if (!stop.signal.aborted) await work();
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
