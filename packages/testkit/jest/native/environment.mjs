import { appendFileSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { sharesHost } from '../host-sharing-tests.mjs';
import { readProcessorTime } from './processor-time.mjs';
import { closeSharedHost, closeSharedHostAtWorkerEnd } from './shared-host.mjs';

/**
 * Limit of a test or hook with all cases, in place of its own, which is for the short form. The long form of some takes minutes, and
 * longer on a busy machine.
 */
const ALL_CASES_TIMEOUT_MS = 1_800_000;

/** Files of this worker that have begun. */
let files = 0;

closeSharedHostAtWorkerEnd();

/** Environment for Jest without a context of its own: tests run in the realm of the worker, like the modules that they import. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = console;
  #exit = process.exit;
  #variables = { ...process.env };
  #sharesHost;
  #testPath;
  #project;
  #started;

  constructor({ projectConfig }, { testPath }) {
    this.#testPath = testPath;
    this.#project = projectConfig.displayName?.name;
    this.#sharesHost = sharesHost(testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Fake timers of another file would stop the host, and timers of the host count in a file that counts its own. */
  async setup() {
    if (!this.#sharesHost) await closeSharedHost();
    files += 1;
    this.#started = { wallMs: performance.now(), processorMs: readProcessorTime(), isFirst: files === 1 };
  }

  /** Undoes what a test file changed for the process, which also runs the next one. */
  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.#variables, name)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    this.#recordTimes();
  }

  /** Appends a line of JSON to the file that `.ci` names, for the table of times and the budgets. */
  #recordTimes() {
    const file = process.env.SLUICE_TEST_TIMES;
    if (file === undefined || this.#started === undefined) return;
    const { wallMs, processorMs, isFirst } = this.#started;
    const times = { wallMs: performance.now() - wallMs, processorMs: readProcessorTime() - processorMs, isFirst };
    appendFileSync(file, `${JSON.stringify({ path: this.#testPath, project: this.#project, ...times })}\n`);
  }

  handleTestEvent({ name, test, hook }) {
    if (process.env.SLUICE_SOAK !== '1' && process.env.SLUICE_CASES !== 'all') return;
    if (name === 'test_fn_start') test.timeout = ALL_CASES_TIMEOUT_MS;
    if (name === 'hook_start') hook.timeout = ALL_CASES_TIMEOUT_MS;
  }

  getVmContext() {
    return null;
  }
}
