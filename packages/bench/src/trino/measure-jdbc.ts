import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Read } from './measure-reader.ts';
import type { PageReader } from './raw-pages.ts';

/** Trino's JDBC driver, with a program that reads a result. */
export interface JdbcDriver {
  /** Version of the driver. */
  readonly version: string;
  /** Command that runs the program, without its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
}

/** A server that a driver reads from: Trino itself, or the door. */
export interface JdbcTarget extends PageReader {
  /** Host and port. */
  readonly address: string;
  /** Path of the certificate of the server, in PEM. Undefined: no TLS. Drivers send passwords only with TLS. */
  readonly certificatePath?: string | undefined;
}

interface JavaFinder {
  readonly findJava: (majorMin: number) => string;
}
interface JarTools {
  readonly installJar: (name: string) => string;
}

const PROGRAM = fileURLToPath(new URL('../../java/ReadRows.java', import.meta.url));
const COMPONENTS = new URL('../../../../deploy/components/', import.meta.url);
/** The driver of the Trino that the bench starts. */
const VERSION = '476';
/** Runs a program from its source, and has the pattern that it uses. */
const JAVA_MAJOR_MIN = 17;

const component = async <Tools>(file: string): Promise<Tools> =>
  (await import(new URL(file, COMPONENTS).href)) as Tools;

/** Finds a Java with a compiler, and the driver, which Maven fetches the first time. Returns undefined if that is not possible. */
export async function findJdbcDriver(): Promise<JdbcDriver | undefined> {
  try {
    const { findJava } = await component<JavaFinder>('java.mjs');
    const { installJar } = await component<JarTools>('maven-jars.mjs');
    const jar = installJar(`jdbc-${VERSION}`);
    const programs = join(findJava(JAVA_MAJOR_MIN), 'bin');
    if (!existsSync(join(programs, 'javac'))) return undefined;
    return { version: VERSION, command: [join(programs, 'java'), '-Xmx1g', '-cp', jar, PROGRAM] };
  } catch {
    return undefined;
  }
}

interface JdbcReadings {
  readonly sql: string;
  /** Their number. As many before them are not measured: they compile the driver. Default: 1. */
  readonly readings?: number;
}

/** Reads a result in a process of its own, each cell as an object. Returns the mean of the readings. Throws if the driver fails. */
export async function measureJdbc(
  { command }: JdbcDriver,
  target: JdbcTarget,
  { sql, readings = 1 }: JdbcReadings,
): Promise<Read> {
  const [java, ...options] = command;
  const properties = Object.entries(propertiesOf(target)).flat();
  const args = [...options, String(readings), `jdbc:trino://${target.address}`, ...properties];
  const child = spawn(java, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(sql);
  const closed = once(child, 'close') as Promise<[number]>;
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) printed += String(text);
  const [code] = await closed;
  if (code !== 0) throw new Error(`The program of the JDBC driver ended with ${code}.`);
  return JSON.parse(printed) as Read;
}

/** Properties of a connection, by the names of the driver. */
const propertiesOf = ({ user, password, certificatePath }: JdbcTarget): Readonly<Record<string, string>> => ({
  user,
  ...(password === undefined ? {} : { password }),
  ...(certificatePath === undefined ? {} : { SSL: 'true', SSLTrustStorePath: certificatePath }),
});
