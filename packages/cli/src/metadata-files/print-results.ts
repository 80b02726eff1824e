import type { FileImport, ReportedObject } from '@sluice/client';
import { visibleLine, visibleText } from '@sluice/contract/visible-text';
import { changeLines, objectLine } from '../output/diff.ts';
import { formatCount } from '../output/quantity.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';

type Results = AsyncIterable<ReportedObject>;

/** More would scroll the summary away; a report file has all. */
const SHOWN_FAILURES_MAX = 100;

const nameOf = ({ type, id }: ReportedObject): string => `${type} ${id}`;

async function printChanges(output: Output, result: ReportedObject): Promise<void> {
  const { changes = [] } = result;
  if (changes.length === 0) return;
  const style = { hasColor: output.hasColor };
  const lines = changes.flatMap(({ field, property, before, after }) => [
    `    ${visibleLine(field === null ? property : `${field}: ${property}`)}`,
    ...changeLines(before, after, style).map((line) => `      ${line}`),
  ]);
  await output.write(`${[objectLine('~', nameOf(result), style), ...lines].join('\n')}\n`);
}

/** Prints to stdout what a dry run would change, and to stderr a line per object that failed: its line in the file, its name, and why. */
export async function printResults({ stdout, stderr }: Terminal, results: Results, failed: number): Promise<void> {
  let shown = 0;
  for await (const result of results) {
    if (result.success) await printChanges(stdout, result);
    else if (shown < SHOWN_FAILURES_MAX) {
      shown += 1;
      const why = result.error_message ?? 'failed';
      await stderr.write(`line ${result.line}, ${visibleText(`${nameOf(result)}: ${why}`)}\n`);
    }
  }
  if (shown < failed) await stderr.write(`... and ${formatCount(failed - shown)} more.\n`);
}

/** Writes an import and the result of each object as one JSON document, object by object. */
export async function printJson(stdout: Output, found: FileImport, results: Results): Promise<void> {
  let before = `${JSON.stringify(found).slice(0, -1)},"metadata_results":[`;
  for await (const result of results) {
    await stdout.write(`${before}\n${JSON.stringify(result)}`);
    before = ',';
  }
  await stdout.write(`${before === ',' ? '' : before}\n]}\n`);
}
