import { SluiceError, type SqlLocation } from '@sluice/client';
import { visibleLine, visibleText } from '@sluice/contract/visible-text';
import { CancelledError, CommandError, OutputClosedError, UsageError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';

/** Returns the line of the statement with a caret, or nothing if the statement is not known. */
async function placeIn(error: SluiceError, location: SqlLocation): Promise<readonly string[]> {
  const { excerptOf, statementOf } = await import('./sql-excerpt.ts');
  const sql = statementOf(error);
  return sql === undefined ? [] : excerptOf(sql, location);
}

const ofShell = new WeakSet<object>();

/** Remembers that an error is about a statement of the shell, where parameters come from \set. */
export function noteShell(error: unknown): void {
  if (typeof error === 'object' && error !== null) ofShell.add(error);
}

/** Returns how to give the parameters that a request lacks, or nothing. The host names the member of the body instead. */
function parameterHint(error: SluiceError): readonly string[] {
  const { details } = error;
  const missing = details
    .filter(({ message }) => message.startsWith('is missing'))
    .map(({ path }) => /^body\.parameters\.(\w+)$/.exec(path)?.[1])
    .filter((name) => name !== undefined);
  if (missing.length === 0) return [];
  if (ofShell.has(error)) return missing.map((name) => `  Set it: \\set ${name} VALUE`);
  const options = missing.map((name) => `--param ${name}=VALUE`).join(' ');
  return [`  Run the command with ${options}.`];
}

/** Marks lines that begin inside of a text of others, which could otherwise be taken for lines of the command line. */
const indented = (text: string): string => text.replaceAll('\n', '\n    ');

async function describeError(error: unknown): Promise<readonly string[]> {
  if (error instanceof SluiceError) {
    const { location } = error;
    const excerpt = location === undefined ? [] : await placeIn(error, location);
    const hasPosition = location !== undefined && excerpt.length === 0;
    const position = hasPosition ? ` (line ${location.line}, column ${location.column})` : '';
    const ids = [
      error.queryId === undefined ? [] : [`query ${error.queryId}`],
      error.requestId === undefined ? [] : [`request ${error.requestId}`],
    ].flat();
    return [
      indented(`${error.message}${position}`),
      ...excerpt,
      // The message of the host names the first violation, or the only one.
      ...error.details
        .map(({ path, message, line }) => ({ text: `${path}: ${message}`, line }))
        .filter(({ text }) => !error.message.includes(text.replace(/\.$/, '')))
        .map(({ text, line }) => `  ${line === undefined ? '' : `line ${line}, `}${indented(text)}`),
      ...parameterHint(error),
      ...(ids.length === 0 ? [] : [`  ${visibleLine(ids.join(', '))}`]),
    ];
  }
  if (error instanceof UsageError && error.help !== '') return [error.message, '', error.help];
  // Lines of the command line itself, such as one for each mistake of a file.
  if (error instanceof CommandError) return [error.message];
  return [error instanceof Error ? `Unexpected failure: ${error.stack ?? error.message}` : String(error)];
}

/** Writes what a command threw to stderr, in one plain sentence with the ids that support needs. */
export async function reportError(stderr: Output, error: unknown): Promise<void> {
  if (error instanceof OutputClosedError) return;
  const text = (await describeError(error)).map(visibleText).join('\n');
  if (error instanceof CancelledError) return await stderr.write(`${text}\n`).catch(() => undefined);
  const label = stderr.hasColor ? '\u001b[31merror:\u001b[39m' : 'error:';
  await stderr.write(`${label} ${text}\n`).catch(() => undefined);
}
