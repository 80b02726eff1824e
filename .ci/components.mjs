import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isInstalled } from '../deploy/components/install-packages.mjs';
import { POSTGRES_PACKAGES } from '../deploy/components/versions.mjs';

/** Runs the script of a server, or that of all programs that tests start themselves. */
function run(name, [command, ...options], stdio) {
  const server = `deploy/components/${name}.mjs`;
  const args = existsSync(server) ? [server, command, ...options] : ['deploy/components/programs.mjs', command, name];
  return spawnSync(process.execPath, args, { stdio });
}

const VARIANTS = { postgres: Object.keys(POSTGRES_PACKAGES).map((major) => ['--major', major]) };

/**
 * Installs and starts what suites need, once for all suites of a run: `prepare` returns a sentence if that is impossible on this machine, and
 * `stop` stops the servers that `prepare` started.
 */
export function createComponents() {
  const prepared = new Map();
  const started = [];

  function install(name) {
    for (const options of VARIANTS[name] ?? [[]]) {
      const { status, stderr } = run(name, ['install', ...options], ['ignore', 'inherit', 'pipe']);
      if (status !== 0) return `${name} is missing and cannot be installed here: ${lastLine(stderr)}`;
    }
    return undefined;
  }

  function start(name) {
    if (run(name, ['status'], 'ignore').status === 0) return undefined;
    const { status, stderr } = run(name, ['start'], ['ignore', 'inherit', 'pipe']);
    if (status !== 0) return `${name} cannot be started here: ${lastLine(stderr)}`;
    started.push(name);
    return undefined;
  }

  /** A component that failed once is not tried again. */
  function once(key, action) {
    if (!prepared.has(key)) prepared.set(key, action());
    return prepared.get(key);
  }

  return {
    prepare({ programs = [], components = [], servers = [] }) {
      const missing = programs.find((program) => !isInstalled(program));
      if (missing !== undefined) return `${missing} is not on the PATH`;
      const problems = [
        ...components.map((name) => once(`install ${name}`, () => install(name))),
        ...servers.map((name) => once(`start ${name}`, () => start(name))),
      ];
      return problems.find((problem) => problem !== undefined);
    },
    stop() {
      for (const name of started.splice(0)) run(name, ['stop'], 'inherit');
    },
  };
}

const lastLine = (output) => output.toString().trim().split('\n').at(-1)?.replace(/\.$/, '') || 'see its output above';
