import { readFile, rename, writeFile } from 'node:fs/promises';
import { DEMO_PASSWORD } from '../accounts.ts';
import type { Addresses } from '../ready-line.ts';
import { startFailure } from '../start-failure.ts';
import { type ApiClient, openApi } from './api-client.ts';
import { applyDemoFile } from './apply-demo-file.ts';
import { awaitHarvest } from './await-harvest.ts';
import { DEMO_TENANTS, type DemoTenant } from './demo-files.ts';
import { type DemoPackage, readDemoPackage } from './demo-table.ts';
import { seedDatamapDomains } from './seed-datamap-domains.ts';
import { seedMetadata } from './seed-metadata.ts';

export interface SeedOptions {
  readonly addresses: Addresses;
  /** Whether the engine has the demo's tables. Where it has not, nothing that speaks of them is made. */
  readonly hasTables: boolean;
  /** Which steps are done: a file of this home. */
  readonly statePath: string;
  /** Gets copies of the tenants' files as they are applied. */
  readonly copiesFolder: string;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a step may use: the demo's tenants, mirrored already. */
export interface SeedParts {
  readonly demo: DemoPackage;
  /** Logs in as `<name>@<tenant>.example`. */
  open(tenant: DemoTenant, name: string): Promise<ApiClient>;
}

export interface SeedStep {
  /** Kept for ever in homes that have taken the step. */
  readonly name: string;
  /** What is being done, for the terminal. */
  readonly words: string;
  run(parts: SeedParts): Promise<void>;
}

/**
 * What the tenants' files do not hold, in this order, each once in a home. What one made belongs to the people of the demo
 * afterwards: it is never made anew.
 */
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
    name: 'datamap-domains-1',
    words: 'Putting the demo datamaps into their domains ...',
    run: async ({ open }) => seedDatamapDomains(await open('acme', 'steward')),
  },
];

const readDone = async (path: string): Promise<string[]> => {
  try {
    const done: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(done) ? done.map(String) : [];
  } catch {
    return []; // no such file, or one that was cut: the steps take what is there for theirs
  }
};

const writeDone = async (path: string, done: readonly string[]): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(done));
  await rename(`${path}.new`, path);
};

/** Brings the demo to life through the API. The tenants' files are applied at every start; what fails is told, and tried again at the next. */
export async function seedDemo({
  addresses,
  hasTables,
  statePath,
  copiesFolder,
  announce,
  signal,
}: SeedOptions): Promise<void> {
  const open = (tenant: DemoTenant, name: string): Promise<ApiClient> =>
    openApi({ url: addresses.api, tenant, email: `${name}@${tenant}.example`, password: DEMO_PASSWORD, signal });
  try {
    const admins = await Promise.all(
      DEMO_TENANTS.map(async (tenant) => ({ tenant, api: await open(tenant, 'admin') })),
    );
    const order = { issuer: addresses.identityProvider, hasTables, copiesFolder, announce };
    await Promise.all(admins.map(({ tenant, api }) => applyDemoFile(api, { tenant, ...order })));
    if (!hasTables) return;
    const done = await readDone(statePath);
    const due = STEPS.filter(({ name }) => !done.includes(name));
    if (due.length === 0) return;
    announce('Mirroring the catalog ...');
    for (const { api } of admins) await awaitHarvest(api, signal);
    const demo = await readDemoPackage();
    for (const step of due) {
      announce(step.words);
      await step.run({ demo, open });
      done.push(step.name);
      await writeDone(statePath, done);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const { message } = startFailure('A part could not be made', thrown);
    announce(`The demo is not complete, and the next start tries again. ${message}`);
  }
}
