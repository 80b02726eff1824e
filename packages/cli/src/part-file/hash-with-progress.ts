import type { CommandContext } from '../context.ts';
import { formatBytes } from '../output/quantity.ts';
import { createProgressLine } from '../terminal/progress-line.ts';
import { type FileHash, hashFile } from './compare-file.ts';

/**
 * Hashes a file, with a progress line.
 * @throws CommandError if it cannot be read
 */
export async function hashWithProgress({ terminal, signal }: CommandContext, file: string): Promise<FileHash> {
  const line = createProgressLine(terminal.stderr);
  let drawnMs = performance.now();
  try {
    return await hashFile(file, {
      signal,
      onProgress: (bytes, total) => {
        if (performance.now() - drawnMs < 100) return undefined;
        drawnMs = performance.now();
        const share = `${Math.floor((100 * bytes) / Math.max(1, total))} %`;
        return line.show([
          { text: `verifying ${file}`, rank: 2 },
          { text: `${formatBytes(bytes)} of ${formatBytes(total)}`, rank: 1 },
          { text: share, rank: 0 },
        ]);
      },
    });
  } finally {
    await line.clear();
  }
}
