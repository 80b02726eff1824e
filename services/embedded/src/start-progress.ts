import { visibleLine } from '@sluice/contract/visible-text';

/** Standard output, or what a test puts in its place. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface StartProgress {
  /** Prints a line. Names of files and messages of engines in it cannot command the terminal. */
  announce(line: string): void;
  /** Removes the counter. */
  end(): void;
}

const TICK_MS = 1000;
/** Moves to the start of the line and erases it (ECMA-48, EL). */
const ERASE_LINE = '\r\u001b[K';

/** Prints the lines of a start. In a terminal, a counter below the last line shows for how many seconds its step runs. */
export function createStartProgress(output: Output): StartProgress {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    output.write(ERASE_LINE);
  };
  return {
    end,
    announce(line) {
      end();
      output.write(`${visibleLine(line)}\n`);
      if (output.isTTY !== true) return;
      const startedAt = performance.now();
      timer = setInterval(() => {
        output.write(`${ERASE_LINE}  ${Math.round((performance.now() - startedAt) / 1000)} s`);
      }, TICK_MS);
      // The counter keeps no process alive.
      timer.unref();
    },
  };
}
