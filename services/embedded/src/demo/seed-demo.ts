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

interface SeedOptions {
  readonly addresses: Addresses;
  /** False for an engine without the demo's tables: then nothing that refers to them is created. */
  readonly hasTables: boolean;
  /** File of the home that lists the completed steps. */
  readonly statePath: string;
  /** Receives copies of the tenants' files as applied. */
  readonly copiesFolder: string;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a step works with. The catalogs of the demo's tenants have been harvested before. */
interface SeedParts {
  readonly demo: DemoPackage;
  /** Logs in as `<name>@<tenant>.example`. */
  open(tenant: DemoTenant, name: string): Promise<ApiClient>;
}

interface SeedStep {
  /** Recorded in every home that completed the step, so it must never change. */
  readonly name: string;
  /** Progress message for the terminal. */
  readonly message: string;
  run(parts: SeedParts): Promise<void>;
}

/**
 * Steps for what the tenants' files cannot contain, in this order, each once per home. Its users may change or delete the result
 * afterwards, so no step runs twice.
 */
const STEPS: readonly SeedStep[] = [
  {
    name: 'metadata-1',
    message: 'Describing the demo tables ...',
    async run({ open, demo }) {
      await seedMetadata(await open('acme', 'steward'), demo);
      await seedMetadata(await open('globex', 'admin'), demo);
    },
  },
  {
    name: 'datamap-domains-1',
    message: 'Adding the demo datamaps to their domains ...',
    run: async ({ open }) => seedDatamapDomains(await open('acme', 'steward')),
  },
];

const readDone = async (path: string): Promise<string[]> => {
  try {
    const done: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(done) ? done.map(String) : [];
  } catch {
    return []; // no such file, or a truncated one: the steps may run again over what they created
  }
};

const writeDone = async (path: string, done: readonly string[]): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(done));
  await rename(`${path}.new`, path);
};

/** Sets up the demo through the API. The tenants' files are applied at every start. A failure is announced and retried at the next start. */
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
    const options = { issuer: addresses.identityProvider, hasTables, copiesFolder, announce };
    await Promise.all(admins.map(({ tenant, api }) => applyDemoFile(api, { tenant, ...options })));
    if (!hasTables) return;
    const done = await readDone(statePath);
    const due = STEPS.filter(({ name }) => !done.includes(name));
    if (due.length === 0) return;
    announce('Harvesting the catalog ...');
    for (const { api } of admins) await awaitHarvest(api, signal);
    const demo = await readDemoPackage();
    for (const step of due) {
      announce(step.message);
      await step.run({ demo, open });
      done.push(step.name);
      await writeDone(statePath, done);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const { message } = startFailure('A step failed', thrown);
    announce(`The demo is incomplete; the next start will try again. ${message}`);
  }
}
