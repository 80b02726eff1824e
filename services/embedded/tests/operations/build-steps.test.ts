import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const MODULE = new URL('../../../../deploy/local/run-step.mjs', import.meta.url).href;

interface Output {
  readonly isTTY: boolean;
  write(text: string): void;
}

interface BuildSteps {
  withProgress(title: string, work: () => Promise<void>, output: Output): Promise<void>;
}

function outputOf(isTTY: boolean): Output & { readonly written: readonly string[] } {
  const written: string[] = [];
  return { isTTY, written, write: (text) => void written.push(text) };
}

it('counts the seconds of a step of the build in a terminal, and prints its title elsewhere', async () => {
  const { withProgress }: BuildSteps = await import(MODULE);
  const outputs = { terminal: outputOf(true), file: outputOf(false) };
  await Promise.all(Object.values(outputs).map((output) => withProgress('Bundling ...', () => wait(1500), output)));
  expect(outputs.terminal.written.join('')).toBe('Bundling ...\n\r\u001b[K  1 s\r\u001b[K');
  expect(outputs.file.written).toEqual(['Bundling ...\n']);
});

it.each([
  ['a command that fails', "['-e', 'console.log(1 + 1); process.exit(3)']", 'Error: It failed.', '2\n'],
  ['a command that succeeds', "['-e', 'console.log(1 + 1)']", 'undefined', ''],
])('prints the output of %s only if it failed', async (_, args, outcome, output) => {
  const script = `
    import { runCommand } from '${MODULE}';
    const options = { cwd: '/', sentence: 'It failed.' };
    console.log(String(await runCommand(process.execPath, ${args}, options).catch((error) => error)));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect({ stdout: stdout.trim(), stderr: stderr.trimStart() }).toEqual({ stdout: outcome, stderr: output });
});
