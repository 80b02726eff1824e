import { SluiceError } from '@sluice/client';
import { CommandError, OutputClosedError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';
import { visibleText } from '../terminal/visible-text.ts';

function linesOf(error: unknown): readonly string[] {
  if (error instanceof SluiceError) {
    const place = error.location === undefined ? '' : ` (line ${error.location.line}, column ${error.location.column})`;
    const ids = [
      error.queryId === undefined ? [] : [`query ${error.queryId}`],
      error.requestId === undefined ? [] : [`request ${error.requestId}`],
    ].flat();
    return [
      `${error.message}${place}`,
      ...error.details.map(({ path, message }) => `  ${path}: ${message}`),
      ...(ids.length === 0 ? [] : [`  ${ids.join(', ')}`]),
    ];
  }
  if (error instanceof CommandError) return [error.message];
  return [error instanceof Error ? `Unexpected failure: ${error.stack ?? error.message}` : String(error)];
}

/** Writes what a command threw to stderr, in one plain sentence with the ids that support needs. */
export async function reportError(stderr: Output, error: unknown): Promise<void> {
  if (error instanceof OutputClosedError) return;
  const text = linesOf(error).map(visibleText).join('\n');
  const label = stderr.hasColor ? '\u001b[31merror:\u001b[39m' : 'error:';
  await stderr.write(`${label} ${text}\n`).catch(() => undefined);
}
