import { AsyncLocalStorage } from 'node:async_hooks';
import { lstatSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileSourceMap } from './compile.mjs';
import { setGlobals } from './globals.mjs';

const require = createRequire(import.meta.url);
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Paths of source maps by the URLs that stack traces name, found when Jest asks for them. */
class SourceMaps extends Map {
  get(url) {
    if (!/^file:.*\.ts(?:\?|$)/.test(url)) return undefined;
    if (!this.has(url)) this.set(url, compileSourceMap(fileURLToPath(url)));
    return super.get(url);
  }
}

const sourceMaps = new SourceMaps();

register('./typescript-hooks.mjs', import.meta.url);

/** Storages of asynchronous contexts that the current test file has used. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndKeep(...args) {
  storages.add(this);
  return Reflect.apply(run, this, args);
};

/**
 * Disables the storages of a test file. The runner makes one for each file. Until it is disabled, it costs time at each promise of the worker
 * (with Node.js before 24), and keeps what the tests of its file hold. A storage that is used again is enabled again.
 */
function disableStorages() {
  for (const storage of storages) storage.disable();
  storages.clear();
}

let files = 0;

/**
 * Runtime for Jest that loads modules with the loader of Node instead of one of its own. The test files of one worker share the
 * modules that they import, so a worker links express, zod, pg and the product once instead of once per file (about 1.5 s of
 * processor time). Test files and setup files themselves are evaluated for each test file, and with the graph `of-each-file` the sources of
 * this repository too. Module mocks (`jest.mock`) do not exist here.
 */
export default class NativeRuntime {
  #environment;
  #file;
  #graph;

  constructor(config, environment) {
    this.#environment = environment;
    files += 1;
    this.#file = files;
    const { moduleGraph } = config.testEnvironmentOptions;
    this.#graph = moduleGraph === 'of-each-file' ? this.#file : moduleGraph;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Imports a test file or a setup file; everything else is imported by those. */
  unstable_importModule(path) {
    // After a synchronous stat of a named pipe or socket, Node.js 20 does not resolve the symbolic links of the next CommonJS
    // module (realpathSync looks at the result of the last stat), so a package of pnpm does not find its dependencies.
    lstatSync('/');
    const url = pathToFileURL(path);
    url.searchParams.set('file', this.#file);
    if (this.#graph !== undefined) url.searchParams.set('graph', this.#graph);
    return import(url.href);
  }

  /** Loads a part of Jest. Its runner registers its handlers and tests in global state, so each test file gets a new one. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[CIRCUS_HANDLERS];
    delete globalThis[TEST_TIMEOUT];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.#createJestObject() });
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  getAllV8CoverageInfoCopy() {
    return [];
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.#environment.moduleMocker.restoreAllMocks();
    disableStorages();
  }

  #createJestObject() {
    const { moduleMocker, fakeTimersModern: timers } = this.#environment;
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      useFakeTimers: (options) => {
        timers.useFakeTimers(options);
        return jest;
      },
      useRealTimers: () => {
        timers.useRealTimers();
        return jest;
      },
      setTimeout: (ms) => {
        globalThis[TEST_TIMEOUT] = ms;
        return jest;
      },
    };
    return jest;
  }
}
