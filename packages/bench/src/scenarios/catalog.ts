import { randomUUID } from 'node:crypto';
import { processTree } from '../process-tree.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';

const OBJECTS = 50;
const STEWARD = { email: 'steward@acme.example', password: 'sluice-demo' };

interface ImportBench {
  readonly sluice: SluiceProcess;
  readonly rounds: number;
}

interface Cost {
  readonly ms: number;
  /** Processor time of hosts and PostgreSQL. */
  readonly cpuSeconds: number;
}

const post = async <T>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<T> => {
  const sent = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
};

const cpuOf = ({ pid }: SluiceProcess): number => processTree(pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);

const cost = async (sluice: SluiceProcess, work: () => Promise<void>): Promise<Cost> => {
  const [cpuBefore, start] = [cpuOf(sluice), performance.now()];
  await work();
  return { ms: performance.now() - start, cpuSeconds: cpuOf(sluice) - cpuBefore };
};

/** Creates the metadata of a table, with a different text each time, so that every object is a change. */
const objectOf = (id: string, text: string) => ({
  type: 'TABLE',
  id,
  description: `${text}: what the table holds, where it is from, and how often it is brought up to date`,
  add_tags: [text.slice(0, 8)],
  remove_tags: ['none'],
});

/** Compares one import of 50 objects with 50 imports of one object. */
async function importMetadata({ sluice, rounds }: ImportBench): Promise<readonly Finding[]> {
  const { apiUrl } = sluice;
  const { id_token } = await post<{ id_token: string }>(`${apiUrl}/auth/login/acme`, STEWARD);
  const idtoken = { idtoken: id_token };
  const tables = await post<{ data: { id: string }[] }>(
    `${apiUrl}/datamap/search`,
    { size: OBJECTS, sort_key: 'table_name.lowercase', sort_value: 'asc', advance_options: { type: 'TABLE' } },
    idtoken,
  );
  const ids = tables.data.map(({ id }) => id);
  if (ids.length < OBJECTS) throw new Error(`The demo has ${ids.length} tables; ${OBJECTS} are needed.`);
  const importAll = async (metadata_objects: object[]): Promise<void> => {
    const { success_count } = await post<{ success_count: number }>(
      `${apiUrl}/metadata/import`,
      { metadata_objects },
      idtoken,
    );
    if (success_count !== metadata_objects.length) throw new Error('an import failed');
  };
  const round = async () => {
    const [single, whole] = [randomUUID(), randomUUID()];
    const singles = await cost(sluice, async () => {
      for (const id of ids) await importAll([objectOf(id, single)]);
    });
    const batch = await cost(sluice, () => importAll(ids.map((id) => objectOf(id, whole))));
    return { singles, batch };
  };
  await round(); // warm-up
  const measured = await runUndisturbed(rounds, round);
  const of = (choose: (cost: Cost) => number, side: 'singles' | 'batch'): number =>
    median(measured.results.map((result) => choose(result[side])));
  const ratio = (choose: (cost: Cost) => number): number =>
    median(measured.results.map(({ singles, batch }) => choose(batch) / choose(singles)));
  const line = (name: string, choose: (cost: Cost) => number, unit: string): Finding => ({
    name: `import of ${OBJECTS} objects, × of ${OBJECTS} single imports, ${name}`,
    measured: ratio(choose),
    unit: '×',
    floor: 0.4,
    goal: 0.2,
    better: 'lower',
    detail: `${of(choose, 'batch').toFixed(2)} against ${of(choose, 'singles').toFixed(2)} ${unit}, median of ${rounds}${disturbance(measured)}`,
  });
  return [line('time', ({ ms }) => ms, 'ms'), line('processor time', ({ cpuSeconds }) => cpuSeconds, 's')];
}

/** Separate from the home of the query scenarios, because imported metadata remains. */
const HOME = '.sluice-bench-catalog';

interface CatalogBenchOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** Measures imports of metadata. */
export async function catalog({ rounds, print }: CatalogBenchOptions): Promise<readonly Finding[]> {
  await using sluice = await startSluice(HOME);
  print('Measuring imports ...');
  return await importMetadata({ sluice, rounds });
}
