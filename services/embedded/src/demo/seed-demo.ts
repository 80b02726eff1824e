import { readFile, rename, writeFile } from 'node:fs/promises';
import { DEMO_PASSWORD } from '../accounts.ts';
import type { Addresses } from '../ready-line.ts';
import { startFailure } from '../start-failure.ts';
import { type ApiClient, openApi } from './api-client.ts';
import { awaitHarvest } from './await-harvest.ts';
import { DEMO_ITEMS } from './demo-items.ts';
import { type DemoPackage, readDemoPackage } from './demo-table.ts';
import { seedDatamaps } from './seed-datamaps.ts';
import { seedItems } from './seed-items.ts';
import { seedMetadata } from './seed-metadata.ts';

export interface SeedOrder {
  readonly addresses: Addresses;
  /** Which steps are done: a file of this home. */
  readonly statePath: string;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a step may use: the demo's tenants, mirrored already. */
export interface SeedParts {
  readonly addresses: Addresses;
  readonly demo: DemoPackage;
  readonly signal: AbortSignal;
  /** Logs in as `<name>@<tenant>.example`. */
  open(tenant: string, name: string): Promise<ApiClient>;
}

export interface SeedStep {
  /** Kept for ever in homes that have taken the step. */
  readonly name: string;
  /** What is being done, for the terminal. */
  readonly words: string;
  run(parts: SeedParts): Promise<void>;
}

/** In this order, each once in a home. What one made belongs to the people of the demo afterwards: it is never made anew. */
const STEPS: readonly SeedStep[] = [
  {
    name: 'metadata-1',
    words: 'Describing the demo tables ...',
    async run({ open, demo }) {
      await seedMetadata(await open('acme', 'steward'), demo);
      await seedMetadata(await open('globex', 'admin'), demo);
    },
  },
  {
    name: 'datamaps-1',
    words: 'Making the demo datamaps ...',
    run: async ({ open }) => seedDatamaps(await open('acme', 'steward')),
  },
  {
    name: 'items-1',
    words: 'Filling the marketplace ...',
    async run({ open, addresses }) {
      for (const [tenant, items] of Object.entries(DEMO_ITEMS)) {
        const api = await open(tenant, 'admin');
        await seedItems({ api, stream: api.at(addresses.stream) }, items);
      }
    },
  },
];

const TENANTS = ['acme', 'globex'];

const readDone = async (path: string): Promise<string[]> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as string[];
  } catch {
    return []; // no such file, or one that was cut: the steps take what is there for theirs
  }
};

const writeDone = async (path: string, done: readonly string[]): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(done));
  await rename(`${path}.new`, path);
};

/** Brings the demo to life through the API, at the first start. What fails is told, and tried again at the next one. */
export async function seedDemo({ addresses, statePath, announce, signal }: SeedOrder): Promise<void> {
  const done = await readDone(statePath);
  const due = STEPS.filter(({ name }) => !done.includes(name));
  if (due.length === 0) return;
  const open = (tenant: string, name: string): Promise<ApiClient> =>
    openApi({ url: addresses.api, tenant, email: `${name}@${tenant}.example`, password: DEMO_PASSWORD, signal });
  try {
    announce('Mirroring the catalog ...');
    for (const tenant of TENANTS) await awaitHarvest(await open(tenant, 'admin'), signal);
    const demo = await readDemoPackage();
    for (const step of due) {
      announce(step.words);
      await step.run({ addresses, demo, signal, open });
      done.push(step.name);
      await writeDone(statePath, done);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const { message } = startFailure('A part could not be made', thrown);
    announce(`The demo is not complete, and the next start tries again. ${message}`);
  }
}
