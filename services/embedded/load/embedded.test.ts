import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { collectEvents, reservePort, until } from '@sluice/testkit';
import { assertWithin } from '@sluice/testkit/requests';
import { logInAtProvider } from '../tests/log-in-at-provider.ts';
import {
  descendantsOf,
  isRunning,
  type SpawnedSluice,
  type SpawnOptions,
  spawnSluice,
  stateFolderOf,
} from '../tests/spawn-sluice.ts';

const START_MS = 60_000;
const READY = /^Sluice is ready.*$/m;

let work: string;
/** A home that was started once. Its demo data are copied, so that they are created once for all tests. */
let startedHome: string;
/** Port of the identity provider, fixed because the database of that home stores the issuer. */
let issuerPort: number;
const running: SpawnedSluice[] = [];
/** A run in the started home that a test has left to the next one: a start takes seconds of processor time. */
let left: { readonly sluice: SpawnedSluice; readonly script: string | undefined } | undefined;
const homes = new Set<string>();

const start = async (options: SpawnOptions): Promise<SpawnedSluice> => {
  homes.add(options.home);
  const sluice = await spawnSluice(options);
  running.push(sluice);
  return sluice;
};

const startAgain = (environment: Record<string, string> = {}): Promise<SpawnedSluice> =>
  start({ home: startedHome, environment: { IDP_PORT: String(issuerPort), ...environment } });

const kill = async (sluice: SpawnedSluice | undefined): Promise<void> => {
  sluice?.child.kill('SIGKILL');
  await sluice?.exited;
};

/** Starts a run in the started home that the next test takes. */
async function startForNext(script?: string): Promise<SpawnedSluice> {
  const environment = script === undefined ? { IDP_PORT: String(issuerPort) } : { npm_lifecycle_event: 'start' };
  const sluice = await spawnSluice({ home: startedHome, environment, ...(script === undefined ? {} : { script }) });
  left = { sluice, script };
  await sluice.untilPrinted(READY);
  return sluice;
}

/** Returns the run that the last test has left if that script started it, else a new one. */
async function takeRun(script?: string): Promise<SpawnedSluice> {
  if (left !== undefined && left.script !== script) await kill(left.sluice);
  const sluice = left?.script === script && left !== undefined ? left.sluice : await startForNext(script);
  left = undefined;
  running.push(sluice);
  return sluice;
}

const stop = async (sluice: SpawnedSluice): Promise<number | null> => {
  sluice.child.kill('SIGINT');
  return (await sluice.exited).code;
};

/** Creates a home with a copy of the demo data. */
const homeWithData = async (name: string): Promise<string> => {
  const home = join(work, name);
  await mkdir(home);
  await cp(join(startedHome, 'demo'), join(home, 'demo'), { recursive: true });
  return home;
};

const untilAllEnded = async (pids: readonly number[]): Promise<void> => {
  const deadline = Date.now() + 3000;
  while (pids.some(isRunning)) {
    if (Date.now() > deadline) throw new Error(`Still running: ${pids.filter(isRunning)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const query = async (sluice: SpawnedSluice, sql: string): Promise<Record<string, unknown>[]> => {
  const response = await fetch(`http://127.0.0.1:${sluice.streamPort}/query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('analyst@acme.example:sluice-demo').toString('base64')}`,
    },
    body: JSON.stringify({ sql }),
  });
  expect(response.status).toBe(200);
  return collectEvents(response.body as unknown as AsyncIterable<Uint8Array>);
};

interface Applied {
  readonly changes: readonly { readonly action: string }[];
}

/** Logs in the admin of a demo tenant and returns the ID token. */
async function idTokenOf({ apiPort }: SpawnedSluice, tenant: string): Promise<string> {
  const login = await fetch(`http://127.0.0.1:${apiPort}/auth/login/${tenant}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `admin@${tenant}.example`, password: 'sluice-demo' }),
  });
  return ((await login.json()) as { id_token: string }).id_token;
}

/** Returns what became of the files of SLUICE_DATA_DIR. */
async function filesOf(sluice: SpawnedSluice): Promise<readonly unknown[]> {
  const headers = { idtoken: await idTokenOf(sluice, 'acme') };
  const answer = await fetch(`http://127.0.0.1:${sluice.apiPort}/catalog/files`, { headers });
  return ((await answer.json()) as { files: readonly unknown[] }).files;
}

/** Returns a function that applies YAML as the admin of a demo tenant. */
async function openApply(sluice: SpawnedSluice, tenant: string): Promise<(file: string) => Promise<Applied>> {
  const url = `http://127.0.0.1:${sluice.apiPort}`;
  const headers = { 'content-type': 'application/yaml', idtoken: await idTokenOf(sluice, tenant) };
  return async (body) => {
    const answer = await fetch(`${url}/admin/apply`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Applied;
  };
}

/** Creates a datamap as the admin of a demo tenant. Datamaps may share a name. */
async function createDatamap(
  sluice: SpawnedSluice,
  { tenant, name }: { readonly tenant: string; readonly name: string },
): Promise<void> {
  const created = await fetch(`http://127.0.0.1:${sluice.apiPort}/datamap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', idtoken: await idTokenOf(sluice, tenant) },
    body: JSON.stringify({ name }),
  });
  expect(created.status).toBe(201);
}

beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'sluice-embedded-')));
  startedHome = join(work, 'started-home');
  issuerPort = await reservePort();
  const first = await startAgain();
  await first.untilPrinted(READY);
  expect(first.output()).toContain('Applied acme.yaml: ');
  expect(first.output()).not.toContain('incomplete');
  expect(await stop(first)).toBe(0);
}, START_MS * 2);

afterEach(async () => {
  for (const sluice of running.splice(0)) await kill(sluice);
});

afterAll(async () => {
  await kill(left?.sluice);
  for (const home of homes) await rm(stateFolderOf(home), { recursive: true, force: true });
  await rm(work, { recursive: true });
});

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
};

describe('npm start in an existing home', () => {
  /** Shared by all tests that are not about starting. */
  let sluice: SpawnedSluice;
  let tlsPort: number;
  beforeAll(async () => {
    const data = join(work, 'data');
    await mkdir(join(data, 'sales'), { recursive: true });
    await writeFile(join(data, 'sales', 'q1.csv'), 'amount\n1.50\n2.25\n');
    await writeFile(join(data, 'bad.csv'), 'a,b\n1\n');
    tlsPort = await reservePort();
    const environment = { IDP_PORT: String(issuerPort), SLUICE_DATA_DIR: data, STREAM_TLS_PORT: String(tlsPort) };
    sluice = await spawnSluice({ home: startedHome, environment });
  }, START_MS);
  afterAll(() => kill(sluice));

  it('prints a curl command that works when pasted', async () => {
    const line = await sluice.untilPrinted(READY);
    expect(line).toContain(`http://127.0.0.1:${sluice.apiPort}`);
    expect(line).toContain(`http://127.0.0.1:${sluice.streamPort}`);
    const command = await sluice.untilPrinted(/^curl .*$/m);
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const events = stdout.split('\n').filter((text) => text.startsWith('data: '));
    expect(events[0]).toContain('"type":"metadata"');
    expect(events).toHaveLength(7);
    expect(events.at(-1)).toBe('data: {"type":"complete"}');
  });

  it('prints lines that work when pasted, for the command line of this clone, without npx', async () => {
    const lines = await sluice.untilPrinted(/^Or with the command line .*\n(?:.+\n){2}/m);
    const [, ...pasted] = lines.trimEnd().split('\n');
    expect(pasted).toEqual([expect.stringMatching(/^export /), expect.stringMatching(/^node \S*sluice\.js query '/)]);
    // A home without profiles, and nothing else from this process.
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: work };
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', pasted.join('\n')], { env });
    const [header, ...rows] = stdout.trimEnd().split('\n');
    expect(header).toBe('origin,flights,delay');
    expect(rows).toHaveLength(5);
    expect(stderr).toMatch(/^5 rows in [\d.]+ s\n$/);
  });

  it('serves https with a certificate of its home, which the address for JDBC names', async () => {
    const address = await sluice.untilPrinted(/^jdbc:trino:.*$/m);
    const { port, searchParams } = new URL(address.replace('jdbc:trino:', 'https:'));
    expect(port).toBe(String(tlsPort));
    const certificate = searchParams.get('SSLTrustStorePath') ?? '';
    expect(certificate).toBe(join(startedHome, 'tls.pem'));
    expect((await stat(join(startedHome, 'tls.key'))).mode & 0o777).toBe(0o600);
    const me = [
      '-sS',
      '--cacert',
      certificate,
      '-u',
      'analyst@acme.example:sluice-demo',
      `https://localhost:${tlsPort}/me`,
    ];
    const { stdout } = await promisify(execFile)('curl', me);
    expect(JSON.parse(stdout)).toMatchObject({ user: 'analyst@acme.example' });
    expect(await sluice.untilPrinted(/^REQUESTS_CA_BUNDLE=.* python3 -c .*$/m)).toContain(`port=${tlsPort}`);
  });

  it('serves the three million flights and the files of SLUICE_DATA_DIR', async () => {
    const flights = await query(sluice, 'SELECT count(*) AS n FROM flights');
    expect(flights).toContainEqual({ type: 'row', data: { n: 3_000_000 } });
    const sales = await query(sluice, 'SELECT sum(amount) AS total FROM files.sales.q1');
    expect(sales).toContainEqual({ type: 'row', data: { total: 3.75 } });
    expect(sales.at(-1)).toEqual({ type: 'complete' });
  });

  it('notices a file that comes or goes within 10 s', async () => {
    const path = join(work, 'data', 'sales', 'q2.csv');
    const codeOf = async (): Promise<unknown> =>
      (await query(sluice, 'SELECT sum(amount) AS total FROM files.sales.q2')).at(-1)?.['type'];
    await assertWithin({ what: 'a new file is served and a removed one is not', withinMs: 20_000 }, async () => {
      await writeFile(path, 'amount\n1.50\n');
      await until(async () => ((await codeOf()) === 'complete' ? true : undefined), { what: 'the new file' });
      await rm(path);
      await until(async () => (existsSync(path) || (await codeOf()) === 'complete' ? undefined : true), {
        what: 'the end of the removed file',
      });
      await until(async () => ((await filesOf(sluice)).length === 2 ? true : undefined), { what: 'the list of files' });
    });
    expect(await filesOf(sluice)).toMatchObject([
      { path: 'bad.csv', problem: 'line 2 has 1 value, the header has 2.' },
      { path: 'sales/q1.csv', view: 'files.sales.q1', rows: 2 },
    ]);
    expect(sluice.output()).toContain(
      ' as 1 view of the catalog files. 1 file has a problem:\n  bad.csv line 2 has 1 value, the header has 2.\n',
    );
  });

  it('serves the marketplace of the demo and lets an analyst download its items', async () => {
    const send = (path: string, method: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${sluice.streamPort}${path}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from('analyst@acme.example:sluice-demo').toString('base64')}`,
        },
      });
    const ids = async (response: Response): Promise<string[]> =>
      ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id).sort();
    expect(await ids(await send('/marketplace', 'GET'))).toEqual(['flight-pack', 'flights-by-origin']);
    const file = await send('/marketplace/flights-by-origin/download/csv', 'POST');
    expect((await file.text()).split('\n')[0]).toBe('origin,city,state,flights,average_delay');
    expect((await send('/marketplace/quakes-by-month', 'GET')).status).toBe(404); // an item of the other tenant
  });

  it('changes nothing when it applies the files of the demo again', async () => {
    expect(sluice.output()).not.toContain('Applied ');
    for (const [tenant, entries] of [
      ['acme', 32],
      ['globex', 18],
    ] as const) {
      const apply = await openApply(sluice, tenant);
      const file = await readFile(join(startedHome, 'demo-tenants', `${tenant}.yaml`), 'utf8');
      for (const { changes, ...counts } of [await apply(file), await apply(file)]) {
        expect(changes.filter(({ action }) => action !== 'none')).toEqual([]);
        expect(counts).toEqual({
          dry_run: false,
          created_count: 0,
          updated_count: 0,
          unchanged_count: entries,
        });
      }
    }
  });

  it('applies the file with the command from the documentation, with any IDP_PORT', async () => {
    const docs = await readFile(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
    const shown = /^curl .*\/admin\/apply$/m.exec(docs)?.[0] ?? '';
    const command = shown.replaceAll('127.0.0.1:8080', `127.0.0.1:${sluice.apiPort}`);
    const script = `ID_TOKEN=${await idTokenOf(sluice, 'acme')}\n${command}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', `SLUICE_HOME='${startedHome}'\n${script}`]);
    expect(JSON.parse(stdout)).toMatchObject({ created_count: 0, updated_count: 0, unchanged_count: 32 });
  });

  it('logs users in through the form of the development identity provider, with their identity there', async () => {
    const url = `http://127.0.0.1:${sluice.apiPort}`;
    const loggedIn = async (tenant: string, name: string): Promise<[number, string]> => {
      const { status, text } = await logInAtProvider(
        `${url}/auth/login/${tenant}`,
        `${name}@acme.example`,
        'sluice-demo',
      );
      const { id_token: token = '.e30' } = JSON.parse(text) as { id_token?: string };
      const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
      const { email = '', roles = [] } = JSON.parse(claims) as { email?: string; roles?: string[] };
      return [status, `${email} ${roles}`];
    };
    expect(await loggedIn('acme', 'analyst')).toEqual([200, 'analyst@acme.example analyst']);
    expect(await loggedIn('acme', 'newcomer')).toEqual([200, 'newcomer@acme.example analyst']);
    expect(await loggedIn('globex', 'analyst')).toEqual([403, ' ']);
    const wrong = await logInAtProvider(`${url}/auth/login/acme`, 'analyst@acme.example', 'wrong');
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('The e-mail or the password is wrong.')]);
  });

  it('exits with the PID of the holder when the home is in use', async () => {
    const second = await startAgain();
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^Sluice is already running on ${startedHome}: process ${sluice.child.pid}, since [^\\n]*\\n$`),
    );
    expect(await query(sluice, 'SELECT 1 AS one')).toContainEqual({ type: 'row', data: { one: 1 } });
  });

  // The last test, because it stops the shared process.
  it(
    'leaves no process and no lock after Ctrl-C, and reverts changes of the demo at the next start where it can',
    async () => {
      const change = await openApply(sluice, 'acme');
      await change('domains: [{ name: Places, description: Elsewhere }, { name: Of a person }]');
      await createDatamap(sluice, { tenant: 'globex', name: 'quakes_by_month' });
      const below = descendantsOf(sluice.child.pid ?? 0);
      expect(below.length).toBeGreaterThan(3);
      expect(await stop(sluice)).toBe(0);
      await untilAllEnded(below);
      expect(await readdir(startedHome)).not.toContain('lock');
      const again = await startForNext();
      expect(again.output()).toContain('Applied acme.yaml: 0 created, 1 updated.');
      expect(again.output()).toContain('The demo keeps the changes of its users: globex.yaml cannot be applied again.');
      expect(again.output()).not.toContain('The demo is incomplete');
    },
    START_MS * 2,
  );
});

/** Runs the program like the shell of npm. */
const SHELL_OF_NPM = '"$@"; exit $?';

describe('npm start', () => {
  it(
    'leaves no process after SIGKILL and starts again',
    async () => {
      const killed = await takeRun();
      const below = descendantsOf(killed.child.pid ?? 0);
      killed.child.kill('SIGKILL');
      await untilAllEnded(below);
      const again = await startForNext();
      expect(await query(again, 'SELECT 1 AS one')).toContainEqual({ type: 'row', data: { one: 1 } });
    },
    START_MS,
  );

  it(
    'starts again after all its processes were killed at once, the database server included',
    async () => {
      const killed = await takeRun();
      const everything = [killed.child.pid ?? 0, ...descendantsOf(killed.child.pid ?? 0)];
      for (const pid of everything) killIfThere(pid); // some end as soon as the first one has
      await killed.exited;
      await startForNext(SHELL_OF_NPM);
    },
    START_MS,
  );

  it.each([
    ['the shell that npm started is killed', SHELL_OF_NPM],
    ['npm itself is killed, and only its shell is left', 'sh -c \'"$@"; exit $?\' sh "$@"; exit $?'],
  ])(
    'stops when %s',
    async (_, script) => {
      const sluice = await takeRun(script);
      const below = descendantsOf(sluice.child.pid ?? 0);
      sluice.child.kill('SIGKILL');
      await untilAllEnded(below);
      expect(await readdir(startedHome)).not.toContain('lock');
    },
    START_MS,
  );

  it(
    'stops and removes its new home when it is interrupted during the start',
    async () => {
      const home = join(work, 'stopped');
      const sluice = await start({ home });
      await sluice.untilPrinted(/Creating the demo data/);
      const below = descendantsOf(sluice.child.pid ?? 0);
      expect(await stop(sluice)).toBe(1);
      expect(sluice.output()).toContain('Stopped before the start was complete.');
      await untilAllEnded(below);
      await expect(stat(home)).rejects.toThrow('ENOENT');
    },
    START_MS,
  );
});

describe('a failing start', () => {
  const startFailing = async (options: SpawnOptions): Promise<string> => {
    const sluice = await start(options);
    const ended = { ...(await sluice.exited), output: sluice.output() };
    expect(ended).toEqual({ code: 1, signal: null, output: expect.any(String) });
    return ended.output;
  };

  it('names a port in use and its setting, and creates nothing', async () => {
    const otherServer = createServer();
    await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
    const address = otherServer.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const home = join(work, 'ports');
    expect(await startFailing({ home, environment: { STREAM_PORT: port } })).toBe(
      `Port ${port} is in use by another program. Stop that program, or choose another port with STREAM_PORT.\n`,
    );
    await expect(stat(home)).rejects.toThrow('ENOENT');
    otherServer.close();
  });

  it('names two settings with the same port', async () => {
    const home = join(work, 'same-port');
    expect(await startFailing({ home, environment: { API_PORT: '18080', STREAM_PORT: '18080' } })).toBe(
      'API_PORT and STREAM_PORT are both 18080. Set different ports.\n',
    );
  });

  it('names a home that cannot be created', async () => {
    await writeFile(join(work, 'file'), '');
    const home = join(work, 'file', 'home');
    expect(await startFailing({ home })).toBe(
      `SLUICE_HOME (${home}) cannot be used: a part of the path is not a folder.\n`,
    );
  });

  it('lists all invalid settings', async () => {
    const output = await startFailing({
      home: join(work, 'wrong'),
      environment: { API_PORT: '80a', STREAM_PORT: '0' },
    });
    expect(output).toContain('2 settings are wrong:');
    expect(output).toContain('API_PORT');
    expect(output).toContain('STREAM_PORT');
  });

  it(
    'reports a full disk and removes the home that it created',
    async () => {
      const home = join(work, 'full');
      // ulimit counts blocks of 512 bytes: files may grow to 40 MB, and the demo's database needs 48.
      const output = await startFailing({ home, script: 'ulimit -f 81920; exec "$@"' });
      expect(output).toContain(
        `The demo data could not be created in ${join(home, 'demo')}: a file may not grow further`,
      );
      await expect(stat(home)).rejects.toThrow('ENOENT');
      expect(existsSync(stateFolderOf(home))).toBe(false);
    },
    START_MS,
  );

  it(
    'names a data folder that does not exist',
    async () => {
      const home = await homeWithData('no-data');
      const environment = { SLUICE_DATA_DIR: join(work, 'nowhere') };
      expect(await startFailing({ home, environment })).toContain(
        `SLUICE_DATA_DIR names a folder that does not exist: ${join(work, 'nowhere')}.\n`,
      );
    },
    START_MS,
  );
});
