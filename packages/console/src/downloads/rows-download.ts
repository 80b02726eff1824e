import { createFrameBudget, createPageClock } from '../result/frame-clock.ts';
import { saveFile } from '../ui/save-file.ts';
import { failureOf, pageFailure } from './download-failure.ts';
import type { DownloadSnapshot } from './download-state.ts';
import type { HeldResult, RowFormat } from './row-file.ts';

/** Time of a frame that is spent on writing, in milliseconds. */
const WORK_MS = 8;

/** Rows that the page holds, as a file. */
export interface RowsToSave {
  readonly fileName: string;
  readonly held: HeldResult;
  readonly format: RowFormat;
}

/** One file of rows that the page holds, which it writes without the host. Never used for a second one. */
export class RowsDownload {
  readonly #onChange: () => void;
  #snapshot: DownloadSnapshot;

  constructor(onChange: () => void, snapshot: DownloadSnapshot) {
    this.#onChange = onChange;
    this.#snapshot = snapshot;
  }

  get snapshot(): DownloadSnapshot {
    return this.#snapshot;
  }

  /** Writes and saves the file. Resolves at the end; never rejects. */
  async start({ fileName, held, format }: RowsToSave): Promise<void> {
    try {
      const { writeRowFile } = await import('./row-file.ts');
      const pause = createFrameBudget(createPageClock(), WORK_MS);
      const { file, rows, bytes, sha256 } = await writeRowFile(held.view, format, pause);
      saveFile(file, fileName);
      this.#end({ state: 'saved', queryId: held.queryId, saved: { rows, bytes, sha256 } });
    } catch (thrown) {
      this.#end({
        state: 'failed',
        failure: thrown instanceof RangeError ? pageFailure('released') : failureOf(thrown),
      });
    }
  }

  /** Does nothing: a file of this size is written in a moment. */
  async cancel(): Promise<void> {}

  #end(change: Partial<DownloadSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, endedAtMs: Date.now() };
    this.#onChange();
  }
}
