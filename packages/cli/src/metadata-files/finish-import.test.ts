import { describe, expect, it } from '@jest/globals';
import type { Client, FileImport, ReportedObject } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';
import { finishImport } from './finish-import.ts';

const ENDED = {
  import_id: 'i',
  state: 'FINISHED',
  dry_run: false,
  total_count: 3,
  processed_count: 3,
  success_count: 3,
  changed_count: 1,
  failure_count: 0,
  error: null,
} as unknown as FileImport;

/** Finishes an import that has ended. Returns what was printed, and the error. */
async function finish(change: object, results: readonly object[] = []) {
  const printed = { stdout: '', stderr: '' };
  const output = (stream: 'stdout' | 'stderr') =>
    ({
      isTerminal: false,
      isFile: false,
      hasColor: false,
      columns: 80,
      rows: 24,
      write: async (data) => {
        printed[stream] += String(data);
      },
    }) satisfies Output;
  const context = {
    terminal: { stdout: output('stdout'), stderr: output('stderr') },
    globals: { profile: undefined, isJson: false },
    signal: new AbortController().signal,
  } as unknown as CommandContext;
  const readReport = async function* () {
    yield* results as readonly ReportedObject[];
  };
  const client = { metadata: { readReport } } as unknown as Client;
  const input = { found: { ...ENDED, ...change } as FileImport, report: undefined };
  const error = await finishImport(context, client, input).catch((thrown: unknown) => thrown);
  return { ...printed, error };
}

describe('an import that has ended', () => {
  it('prints what it changed, and succeeds if every object did', async () => {
    const { stderr, error } = await finish({});
    expect(stderr).toBe('3 objects: 1 changed, 2 as in the file before, 0 failed.\n');
    expect(error).toBeUndefined();
  });

  it('before its last object fails, though no object failed', async () => {
    const { stderr, error } = await finish({ processed_count: 1, success_count: 1 });
    expect(stderr).toContain('3 objects: 1 changed, 0 as in the file before, 0 failed, 2 not reached.\n');
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^2 of 3 objects were not reached, though the import has ended\. Import the file again/,
      ),
    });
  });

  it.each([
    ['FAILED', { message: 'The database is down.' }, 'The import failed: The database is down. Import'],
    ['CANCELLED', null, 'The import was cancelled. Import'],
  ])('as %s fails with the reason', async (state, reason, message) => {
    const { error } = await finish({ state, error: reason, processed_count: 1, success_count: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  it.each([
    [false, 'failed', 'sluice import --resume i --report failed.csv --failed-only'],
    [true, 'would fail', 'the others are applied'],
  ])('with an object that failed, in a dry run: %s, fails and says what to do', async (isDryRun, verb, next) => {
    const failed = { line: 2, type: 'TABLE', id: 'a', success: false, error_message: 'no such table' };
    const { stderr, error } = await finish({ dry_run: isDryRun, success_count: 2, failure_count: 1 }, [failed]);
    expect(stderr).toContain('line 2, TABLE a: no such table\n');
    expect(error).toMatchObject({ message: expect.stringContaining(`1 of 3 objects ${verb}.`) });
    expect(error).toMatchObject({ message: expect.stringContaining(next) });
  });
});
