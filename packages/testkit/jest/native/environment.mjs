import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Limit of a test or hook in `npm run soak`, in place of its own, which is for the short form. The long form of some takes minutes, and
 * longer on a busy machine.
 */
const SOAK_TIMEOUT_MS = 1_800_000;

/** Environment for Jest without a context of its own: tests run in the realm of the worker, like the modules that they import. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = console;
  #exit = process.exit;
  #variables = { ...process.env };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Undoes what a test file changed for the process, which also runs the next one. */
  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.#variables, name)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }

  handleTestEvent({ name, test, hook }) {
    if (process.env.SLUICE_SOAK !== '1') return;
    if (name === 'test_fn_start') test.timeout = SOAK_TIMEOUT_MS;
    if (name === 'hook_start') hook.timeout = SOAK_TIMEOUT_MS;
  }

  getVmContext() {
    return null;
  }
}
