import { SluiceError } from '@sluice/client';
import { CancelledError, CommandError, OutputClosedError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { excerptOf, statementOf } from './sql-excerpt.ts';

function linesOf(error: unknown): readonly string[] {
  if (error instanceof SluiceError) {
    const { location } = error;
    const sql = statementOf(error);
    const excerpt = location === undefined || sql === undefined ? [] : excerptOf(sql, location);
    const hasPlace = location !== undefined && excerpt.length === 0;
    const place = hasPlace ? ` (line ${location.line}, column ${location.column})` : '';
    const ids = [
      error.queryId === undefined ? [] : [`query ${error.queryId}`],
      error.requestId === undefined ? [] : [`request ${error.requestId}`],
    ].flat();
    return [
      `${error.message}${place}`,
      ...excerpt,
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
  if (error instanceof CancelledError) return await stderr.write(`${text}\n`).catch(() => undefined);
  const label = stderr.hasColor ? '\u001b[31merror:\u001b[39m' : 'error:';
  await stderr.write(`${label} ${text}\n`).catch(() => undefined);
}
