import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type JavaTools, logInWithCli, readWithCli, runCli, SHORT_JVM } from './cli-client.ts';
import { type ClientCheck, type ProgramEnd, readChecks, runProgram } from './client-check.ts';
import { type ReadOutcome, readBy } from './client-reads.ts';
import { type ClientTarget, environmentOf } from './client-target.ts';
import { runNodeClient } from './node-client.ts';
import { runSqlline } from './sqlline-client.ts';
import { runToolStatements } from './tool-statements.ts';

/** A client that nobody here wrote, with programs that use it. */
export interface ClientProgram {
  /** Name of its file of expected checks. */
  readonly name: string;
  /** Installs or builds it. What it downloads is kept between runs. */
  install(): Promise<void>;
  run(target: ClientTarget): Promise<readonly ClientCheck[]>;
}

/** A client that repeats requests that fail. */
export interface RepeatingClient extends ClientProgram {
  /** Reads a result to its end. Its first column is a number. */
  read(target: ClientTarget, sql: string): Promise<ReadOutcome>;
}

/** A client whose user logs in with a browser. */
export interface LoginClient {
  readonly name: string;
  install(): Promise<void>;
  /** Prints the address at which its user logs in, and then the result of `LOGIN_SQL`. */
  logIn(target: ClientTarget, onOutput: (text: string) => void): Promise<ProgramEnd>;
}

export const LOGIN_SQL = "SELECT 'I am ' || current_user";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const COMPONENTS = new URL('../../../../../deploy/components/', import.meta.url);
const CACHE = join(homedir(), '.cache', 'sluice-components');
/** Bytecode that the drivers need. */
const JAVA_MAJOR_MIN = 17;

interface PythonTools {
  installPythonTools(name: string, requirements: string, python?: string): string;
}
interface PythonFinder {
  findPython(versions: readonly string[]): string | undefined;
}
interface JarTools {
  installJar(name: string): string;
}
interface JavaFinder {
  findJava(majorMin: number): string;
}

const component = async <Tools>(file: string): Promise<Tools> =>
  (await import(new URL(file, COMPONENTS).href)) as Tools;

/** Environment of a program: what it needs to find its libraries, and nothing of the caller's Trino. */
function baseEnvironment(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: programs find their interpreters and caches by the environment
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' };
}

const environmentFor = (target: ClientTarget) => ({ ...baseEnvironment(), ...environmentOf(target) });

interface ProgramCommands {
  readonly checks: readonly string[];
  readonly read: readonly string[];
  /** Undefined: it has no login with a browser. */
  readonly logIn?: readonly string[];
}

/** A client whose programs print a line for each check, what they counted, and how they log in. */
function printingClient(name: string, prepare: () => Promise<ProgramCommands>): RepeatingClient & LoginClient {
  let commands: Awaited<ReturnType<typeof prepare>> | undefined;
  const prepared = async () => {
    commands ??= await prepare();
    return commands;
  };
  return {
    name,
    install: async () => void (await prepared()),
    run: async (target) => {
      const { checks } = await prepared();
      return readChecks(name, await runProgram(checks, environmentFor(target)));
    },
    read: async (target, sql) => {
      const { read } = await prepared();
      return await readBy({ command: read, environment: environmentFor(target), sql });
    },
    logIn: async (target, onOutput) => {
      const { logIn } = await prepared();
      if (logIn === undefined) throw new Error(`${name} has no login with a browser.`);
      return await runProgram(logIn, environmentFor(target), { input: LOGIN_SQL, onOutput });
    },
  };
}

export const pythonClient = printingClient('python', async () => {
  const folder = join(FOLDER, 'python');
  const { installPythonTools } = await component<PythonTools>('python-tools.mjs');
  const interpreter = join(installPythonTools('python-trino-clients', join(folder, 'requirements.txt')), 'python');
  const program = (file: string): readonly string[] => [interpreter, join(folder, file)];
  return { checks: program('main.py'), read: program('read.py'), logIn: program('external_login.py') };
});

const go = printingClient('go', async () => {
  const binary = join(CACHE, 'trino-client-go');
  await mkdir(CACHE, { recursive: true });
  // Go keeps its own cache, so a program that has not changed is built in a moment.
  await run('go', ['build', '-o', binary, '.'], { cwd: join(FOLDER, 'go') });
  return { checks: [binary], read: [binary, 'read'] };
});

/** Home of a Java with a compiler. */
async function javaHome(): Promise<string> {
  const { findJava } = await component<JavaFinder>('java.mjs');
  return findJava(JAVA_MAJOR_MIN);
}

const jdbc = (driver: string) =>
  printingClient(driver, async () => {
    const classes = join(CACHE, `trino-client-java-${driver}`);
    const jar = (await component<JarTools>('maven-jars.mjs')).installJar(driver);
    const home = await javaHome();
    const sources = (await readdir(join(FOLDER, 'java'))).map((file) => join(FOLDER, 'java', file));
    await rm(classes, { recursive: true, force: true });
    await run(join(home, 'bin', 'javac'), ['-Xlint:all', '-Werror', '-cp', jar, '-d', classes, ...sources]);
    const java = [join(home, 'bin', 'java'), ...SHORT_JVM, '-cp', `${classes}:${jar}`];
    return { checks: [...java, 'Main'], read: [...java, 'Read'], logIn: [...java, 'ExternalLogin'] };
  });

/** Gives a client in Java what it needs, with a folder for the files of one run. */
async function withJava<Result>(jars: readonly string[], work: (tools: JavaTools) => Promise<Result>): Promise<Result> {
  const { installJar } = await component<JarTools>('maven-jars.mjs');
  const paths = new Map(jars.map((jar) => [jar, installJar(jar)]));
  const scratch = await mkdtemp(join(tmpdir(), 'sluice-trino-client-'));
  try {
    const java = join(await javaHome(), 'bin', 'java');
    return await work({ java, scratch, jar: (name) => paths.get(name) ?? '', environment: baseEnvironment() });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A client that a shell starts for each statement. */
function commandClient(
  name: string,
  jars: readonly string[],
  checks: (target: ClientTarget, tools: JavaTools) => Promise<readonly ClientCheck[]>,
): ClientProgram {
  return {
    name,
    install: () => withJava(jars, async () => undefined),
    run: (target) => withJava(jars, (tools) => checks(target, tools)),
  };
}

const cli: RepeatingClient & LoginClient = {
  ...commandClient('cli', ['cli'], runCli),
  read: (target, sql) => withJava(['cli'], (tools) => readWithCli(target, tools, sql)),
  logIn: (target, onOutput) => withJava(['cli'], (tools) => logInWithCli(target, tools, { sql: LOGIN_SQL, onOutput })),
};

const node: ClientProgram = { name: 'node', install: async () => undefined, run: runNodeClient };
const tools: ClientProgram = { name: 'tools', install: async () => undefined, run: runToolStatements };
const oldestJdbc = jdbc('jdbc-476');
const newestJdbc = jdbc('jdbc-483');

export const CLIENT_PROGRAMS: readonly ClientProgram[] = [
  node,
  tools,
  pythonClient,
  go,
  oldestJdbc,
  newestJdbc,
  cli,
  commandClient('sqlline', ['sqlline', 'jdbc-476'], runSqlline),
];

/** Versions that Superset and its pins support, the preferred one first. */
const SUPERSET_PYTHONS = ['3.11', '3.12'];

async function installSuperset(): Promise<readonly string[]> {
  const folder = join(FOLDER, 'superset');
  const { findPython } = await component<PythonFinder>('find-python.mjs');
  const python = findPython(SUPERSET_PYTHONS);
  if (python === undefined)
    throw new Error(`Superset needs Python ${SUPERSET_PYTHONS.join(' or ')}, or uv to install it.`);
  const { installPythonTools } = await component<PythonTools>('python-tools.mjs');
  const programs = installPythonTools('superset-trino-client', join(folder, 'requirements.txt'), python);
  return [join(programs, 'python'), join(folder, 'main.py')];
}

/** Superset as an application in one process. It is large, so a suite of its own runs it. */
export const superset: ClientProgram = {
  name: 'superset',
  install: async () => void (await installSuperset()),
  run: async (target) => {
    // It prints its checks like the other programs in Python.
    const environment = { ...environmentFor(target), PYTHONPATH: join(FOLDER, 'python') };
    return readChecks('superset', await runProgram(await installSuperset(), environment));
  },
};

/** Clients that take their user to a browser. */
export const LOGIN_CLIENTS: readonly LoginClient[] = [pythonClient, oldestJdbc, newestJdbc, cli];

/** Clients that go on after a request has failed. npm's `trino-client` does not. */
export const REPEATING_CLIENTS: readonly RepeatingClient[] = [pythonClient, go, newestJdbc, cli];
