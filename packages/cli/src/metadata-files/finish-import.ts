import type { Client, FileImport, ReportedObject } from '@sluice/client';
import { visibleLine, visibleText } from '@sluice/contract/visible-text';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../errors.ts';
import { changeLines, objectLine } from '../output/diff.ts';
import { formatCount } from '../output/quantity.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { type ReportFile, saveReport } from './save-report.ts';
import { withSentence } from './send-file.ts';

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
async function printResults({ stdout, stderr }: Terminal, results: Results, failed: number): Promise<void> {
  let shown = 0;
  for await (const result of results) {
    if (result.success) await printChanges(stdout, result);
    else if (shown < SHOWN_FAILURES_MAX) {
      shown += 1;
      const why = result.error_message ?? 'failed';
      await stderr.write(
        `line ${result.line}, ${visibleText(`${nameOf(result)}: ${why}`).replaceAll('\n', '\n    ')}\n`,
      );
    }
  }
  if (shown < failed) await stderr.write(`... and ${formatCount(failed - shown)} more.\n`);
}

/** Writes an import and the result of each object as one JSON document, object by object. */
async function printJson(stdout: Output, found: FileImport, results: Results): Promise<void> {
  let before = `${JSON.stringify(found).slice(0, -1)},"metadata_results":[`;
  for await (const result of results) {
    await stdout.write(`${before}\n${JSON.stringify(result)}`);
    before = ',';
  }
  await stdout.write(`${before === ',' ? '' : before}\n]}\n`);
}

interface FinishInput {
  readonly found: FileImport;
  readonly report: ReportFile | undefined;
}

const END_STATES: Readonly<Record<string, string>> = {
  FAILED: 'The import failed',
  CANCELLED: 'The import was cancelled',
};

/** Writes `1 object`, `2 objects`. */
const objectsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'object' : 'objects'}`;

function summarize({ dry_run, total_count, processed_count, ...counts }: FileImport): string {
  const { changed_count: changed, success_count: succeeded, failure_count: failed } = counts;
  const [same, missing] = [succeeded - changed, total_count - processed_count];
  const parts = dry_run
    ? [
        `${formatCount(changed)} would change`,
        `${formatCount(same)} as in the file`,
        `${formatCount(failed)} would fail`,
      ]
    : [
        `${formatCount(changed)} changed`,
        `${formatCount(same)} as in the file before`,
        `${formatCount(failed)} failed`,
      ];
  const rest = missing === 0 ? [] : [`${formatCount(missing)} not reached`];
  return `${objectsText(total_count)}: ${[...parts, ...rest].join(', ')}.`;
}

/** Returns what to do about the objects that were not applied. */
function nextStep({ import_id: id, dry_run: isDryRun }: FileImport, report: ReportFile | undefined): string {
  if (isDryRun) return 'Correct them, or import the file as it is: the others are applied.';
  if (report !== undefined) return `Correct them in ${report.path} and import it.`;
  return `\`sluice import --resume ${id} --report failed.csv --failed-only\` writes them to a file: correct it and import it.`;
}

/** Throws unless every object succeeded. */
function requireSuccess(found: FileImport, report: ReportFile | undefined): void {
  const { failure_count: failed, total_count: total, state, error, dry_run: isDryRun } = found;
  const missing = total - found.success_count - failed;
  const ended = END_STATES[state];
  if (ended !== undefined) {
    const why = error === null ? '' : `: ${visibleLine(error.message.replace(/\.$/, ''))}`;
    throw new CommandError(`${ended}${why}. Import the file again to continue: what is applied does not change again.`);
  }
  if (failed === 0 && missing > 0)
    throw new CommandError(
      `${formatCount(missing)} of ${objectsText(total)} were not reached, though the import has ended. Import the file again to continue: what is applied does not change again.`,
    );
  if (failed === 0) return;
  const verb = isDryRun ? 'would fail' : 'failed';
  throw new CommandError(`${formatCount(failed)} of ${objectsText(total)} ${verb}. ${nextStep(found, report)}`);
}

/** Prints the results of an import, and writes its report. */
async function reportResults(
  { terminal, globals, signal }: CommandContext,
  client: Client,
  { found, report }: FinishInput,
): Promise<void> {
  const { import_id: id, dry_run: isDryRun, success_count, total_count } = found;
  if (report !== undefined) await saveReport(client, id, { ...report, signal });
  const results = (failed: boolean) => client.metadata.readReport(id, { failed, signal });
  const missing = total_count - success_count;
  if (globals.isJson) await printJson(terminal.stdout, found, results(false));
  else if (isDryRun || missing > 0) await printResults(terminal, results(!isDryRun), missing);
}

/** Prints what an import did, or would do, and writes its report. Throws CommandError unless every object succeeded. */
export async function finishImport(context: CommandContext, client: Client, input: FinishInput): Promise<void> {
  const { found, report } = input;
  await reportResults(context, client, input).catch((error: unknown) => {
    throw withSentence(
      error,
      `The import has ended: ${summarize(found)} \`sluice import --resume ${found.import_id}\` shows its results.`,
    );
  });
  await context.terminal.stderr.write(`${summarize(found)}\n`);
  requireSuccess(found, report);
}
