import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Client } from '@sluice/client';
import { startCuttingProxy } from '@sluice/testkit';
import { SLUICE } from '../run-command.ts';
import { runInProcess } from '../run-in-process.ts';
import type { FaultCase } from './fault-case.ts';

export interface FaultRunner {
  readonly streamUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the folders of the cases. */
  readonly home: string;
  /** Client of the same account, which asks the host for the truth. */
  readonly client: Client;
  /** Whether a case runs in a process of its own. Default: all do. */
  readonly needsProcess?: (fault: FaultCase) => boolean;
}

interface Outcome {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Time at which the client left, in epoch milliseconds. */
  readonly leftAt: number;
}

/** Longest time until a query stops whose client has left (decisions: cancelled in the engine within 2 s). */
const STOPPED_WITHIN_MS = 2000;
const INCOMPLETE_LINE = /^incomplete after [\d,]+ rows?$/;
const IDS_LINE = /^ {2}(?:query|request) \S+(?:, request \S+)?$/;

async function runProcess(fault: FaultCase, env: Readonly<Record<string, string>>, cwd: string): Promise<Outcome> {
  const target = fault.words[0] === 'query' ? [] : ['-o', fault.file ?? '-'];
  const [program = '', ...words] = [...(fault.wrapper ?? []), process.execPath, SLUICE, ...fault.words, ...target];
  const output = fault.stdout === undefined ? undefined : await open(resolve(cwd, fault.stdout), 'w');
  const child = spawn(program, words, { env, cwd, stdio: ['ignore', output?.fd ?? 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  await fault.onStart?.(child, cwd);
  const leftAt = Date.now();
  const [exitCode, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  await output?.close();
  return { exitCode, signal, stdout: Buffer.concat(chunks), stderr, leftAt: fault.onStart ? leftAt : Date.now() };
}

/** Runs the command in this process. Its messages name the file as a command in the folder `cwd` does. */
async function runHere(
  { words, file }: FaultCase,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Outcome> {
  const target = words[0] === 'query' ? [] : ['-o', file === undefined ? '-' : join(cwd, file)];
  const { exitCode, stdoutBytes, stderr } = await runInProcess([...words, ...target], env);
  const named = stderr.replaceAll(`${cwd}/`, '');
  return { exitCode, signal: null, stdout: stdoutBytes, stderr: named, leftAt: Date.now() };
}

/** Yields what is wrong with the exit code and the message: exactly one, in plain words, and no stack trace. */
function* checkEnd({ exitCode, message }: FaultCase, outcome: Outcome): Generator<string> {
  if (exitCode === 'any') return;
  if (outcome.exitCode !== (exitCode ?? null))
    yield `exit code ${outcome.exitCode} (${outcome.signal}): ${outcome.stderr}`;
  if (exitCode === undefined) return;
  const lines = outcome.stderr.trimEnd().split('\n');
  // `query` says how many rows were printed before it says why.
  const [first = '', ...rest] = INCOMPLETE_LINE.test(lines[0] ?? '') ? lines.slice(1) : lines;
  if (message === '' ? outcome.stderr !== '' : !message.test(first)) yield `message: ${outcome.stderr}`;
  if (exitCode !== 0 && exitCode !== 130 && message !== '' && !/^error: [\w./]/.test(first))
    yield `no error line: ${first}`;
  if (exitCode !== 0 && message !== '' && !/[.]$/.test(first)) yield `no sentence: ${first}`;
  for (const line of rest) if (!IDS_LINE.test(line)) yield `another line on stderr: ${line}`;
}

/** Checks that stdout has only the beginning of the result, which no parser accepts as complete. */
function* checkStdout({ file, isPartOf, exitCode, words }: FaultCase, { stdout }: Outcome): Generator<string> {
  if (file !== undefined && stdout.length > 0) yield `stdout has ${stdout.length} bytes`;
  if (isPartOf !== undefined && !isPartOf.subarray(0, stdout.length).equals(stdout))
    yield 'stdout is not the beginning of the result';
  if (isPartOf !== undefined && exitCode === 0 && stdout.length < isPartOf.length)
    yield 'stdout is not the whole result';
  if (exitCode !== 0 && words.includes('json') && isJson(stdout.toString())) yield 'stdout is a whole JSON document';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A file that has its name is the one of the receipt beside it. */
async function checkReceipt(file: string, cwd: string): Promise<string[]> {
  const bytes = await readFile(join(cwd, file)).catch(() => undefined);
  if (bytes === undefined) return [];
  const text = await readFile(join(cwd, `${file}.receipt.json`), 'utf8').catch(() => '{"receipt": {}}');
  const { receipt } = JSON.parse(text) as { readonly receipt: { readonly sha256?: string } };
  const isOwn = receipt.sha256 === createHash('sha256').update(bytes).digest('hex');
  return isOwn ? [] : [`the file has ${bytes.length} bytes, and the receipt is ${text}`];
}

async function checkFolder({ leaves, file = '', stdout }: FaultCase, cwd: string): Promise<string[]> {
  if (leaves === 'no file without its receipt') return await checkReceipt(file, cwd);
  const names = (await readdir(cwd).catch(() => [])).sort();
  const allowed: Readonly<
    Record<Exclude<FaultCase['leaves'], 'no file without its receipt'>, readonly (readonly string[])[]>
  > = {
    nothing: [[]],
    file: [[file, `${file}.receipt.json`]],
    'at most a part': [[], [`${file}.part`]],
    'the old file': [[file]],
    'the output': [[stdout ?? '']],
  };
  const isAllowed = allowed[leaves].some((each) => each.join() === names.join());
  if (!isAllowed) return [`the folder has ${names.join(', ') || 'nothing'}`];
  if (leaves === 'file') return await checkReceipt(file, cwd);
  if (leaves !== 'the old file') return [];
  return (await readFile(join(cwd, file), 'utf8')) === 'mine' ? [] : ['the old file was changed'];
}

/** Asks the host until every query that the text finds has ended. */
async function checkStopped({ stopped }: FaultCase, { leftAt }: Outcome, client: Client): Promise<string[]> {
  if (stopped === undefined) return [];
  for (;;) {
    const found = [];
    for await (const entry of client.history({ q: stopped })) found.push(entry);
    const running = found.filter(({ ended_ts: endedTs }) => endedTs === null);
    if (running.length > 0 && Date.now() - leftAt < 5 * STOPPED_WITHIN_MS) continue;
    return found.flatMap(({ state, ended_ts: endedTs }) => {
      const lateMs = (endedTs ?? Number.POSITIVE_INFINITY) - leftAt;
      return state === 'CANCELLED' && lateMs <= STOPPED_WITHIN_MS ? [] : [`the query is ${state} after ${lateMs} ms`];
    });
  }
}

/** Runs a case and returns what is not as it must be, one message per finding. */
async function runFaultCase(fault: FaultCase, runner: FaultRunner): Promise<string[]> {
  await using proxy = await startCuttingProxy(runner.streamUrl);
  fault.damage?.(proxy);
  const folder = await mkdtemp(join(runner.home, 'fault-'));
  const cwd = (await fault.place?.(folder)) ?? folder;
  const run = (runner.needsProcess?.(fault) ?? true) ? runProcess : runHere;
  const outcome = await run(fault, { ...runner.env, SLUICE_STREAM_URL: proxy.url, ...fault.env }, cwd);
  const found = [
    ...checkEnd(fault, outcome),
    ...checkStdout(fault, outcome),
    ...(await checkFolder(fault, cwd)),
    ...(await checkStopped(fault, outcome, runner.client)),
  ];
  return found.map((each) => `${fault.target}, ${fault.fault}: ${each}`);
}

/** Runs cases, several at once, and returns all findings. */
export async function runFaultCases(cases: readonly FaultCase[], runner: FaultRunner, atOnce = 5): Promise<string[]> {
  const waiting = [...cases];
  const findings: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      findings.push(...(await runFaultCase(next, runner)));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings;
}
