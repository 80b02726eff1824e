import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort } from '@sluice/testkit';
import { type SpawnedSluice, spawnSluice } from '../spawn-sluice.ts';

const LONG_MS = 600_000;
const run = promisify(execFile);
const COMPONENTS = new URL('../../../../deploy/components/', import.meta.url);
const REQUIREMENTS = new URL('../../../stream-host/tests/door/clients/python/requirements.txt', import.meta.url);

interface Tools {
  installPythonTools(name: string, requirements: string): string;
  installJar(name: string): string;
  findJava(majorMin: number): string;
}
const tools = async (file: string): Promise<Tools> => (await import(new URL(file, COMPONENTS).href)) as Tools;

/** A program that knows the address alone. */
const READ = `
public class Read {
    public static void main(String[] args) throws Exception {
        try (var connection = java.sql.DriverManager.getConnection(args[0]);
                var results = connection.createStatement().executeQuery(args[1])) {
            results.next();
            System.out.println(results.getString(1));
        }
        System.exit(0);
    }
}`;

let home: string;
let sluice: SpawnedSluice;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-trino-drivers-'));
  sluice = await spawnSluice({ home, environment: { STREAM_TLS_PORT: String(await reservePort()) } });
  await sluice.untilPrinted(/^Sluice is ready.*$/m);
}, LONG_MS);
afterAll(async () => {
  sluice?.child.kill('SIGINT');
  await sluice?.exited;
  await rm(home, { recursive: true, force: true });
});

/** Returns the last printed line that begins so. */
const lineOf = async (beginning: string): Promise<string> =>
  await sluice.untilPrinted(new RegExp(`^${beginning}.*$`, 'm'));

describe('the lines for Trino clients that a start prints', () => {
  it(
    'have a command in Python that prints the rows of the demo when pasted',
    async () => {
      const { installPythonTools } = await tools('python-tools.mjs');
      const programs = installPythonTools('python-trino-clients', fileURLToPath(REQUIREMENTS));
      const command = (await lineOf('REQUESTS_CA_BUNDLE=')).replace(' python3 ', ' python ');
      const { stdout } = await run('sh', ['-c', command], { env: { PATH: `${programs}:/usr/bin:/bin`, HOME: home } });
      expect(stdout).toMatch(/^\[\['[A-Z]{3}', \d+, [\d.]+\](?:, \['[A-Z]{3}', \d+, [\d.]+\]){4}\]\n$/);
    },
    LONG_MS,
  );

  it(
    'have an address of JDBC with which a JDBC program reads the tables of the demo',
    async () => {
      const { installJar } = await tools('maven-jars.mjs');
      const java = join((await tools('java.mjs')).findJava(17), 'bin', 'java');
      const program = join(home, 'Read.java');
      await writeFile(program, READ);
      const given = [await lineOf('jdbc:trino:'), 'SELECT count(*) FROM demo.vega.flights'];
      const { stdout } = await run(java, ['-cp', installJar('jdbc-476'), program, ...given]);
      expect(stdout).toBe('3000000\n');
    },
    LONG_MS,
  );
});
