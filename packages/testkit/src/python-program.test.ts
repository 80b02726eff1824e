import { afterAll, expect, it } from '@jest/globals';
import { PythonProgram } from './python-program.ts';

const program = new PythonProgram(
  'python3',
  `
import os
def handle(request):
    if request == "exit": os._exit(3)
    if request == "pid": return os.getpid()
    return 1 / request["n"]
`,
);
afterAll(() => program[Symbol.dispose]());

it('returns the results of calls in their order, from one process', async () => {
  const results = await Promise.all([program.call({ n: 1 }), program.call({ n: 2 }), program.call({ n: 4 })]);
  expect(results).toEqual([1, 0.5, 0.25]);
  expect(await program.call('pid')).toBe(await program.call('pid'));
});

it('rejects with what the program raises, and goes on', async () => {
  await expect(program.call({ n: 0 })).rejects.toThrow('ZeroDivisionError: division by zero');
  expect(await program.call({ n: 2 })).toBe(0.5);
});

it('rejects when the process ends, and starts another one at the next call', async () => {
  const before = await program.call('pid');
  await expect(program.call('exit')).rejects.toThrow('ended with exit code 3');
  expect(await program.call('pid')).not.toBe(before);
});

it('rejects the start of a program that cannot run', async () => {
  using broken = new PythonProgram('python3', 'import no_such_library');
  await expect(broken.start()).rejects.toThrow('ended with exit code 1');
  using absent = new PythonProgram('/nowhere/python3', '');
  await expect(absent.start()).rejects.toThrow('ENOENT');
});
