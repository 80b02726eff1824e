import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AppliedConfiguration,
  type DatamapSearchResponse,
  IMPORT_OBJECTS_MAX,
  type MetadataImportResponse,
} from '@sluice/contract';
import { DEMO_PASSWORD } from '../accounts.ts';
import type { Addresses } from '../ready-line.ts';
import { StartFailure, startFailure } from '../start-failure.ts';
import { type ApiClient, openApi } from './api-client.ts';
import { awaitHarvest } from './await-harvest.ts';
import { DEMO_DOMAINS, type DemoDomain } from './demo-domains.ts';
import { DEMO_TENANTS, type DemoTenant, readDemoFile, readDemoPeople } from './demo-files.ts';
import { metadataOf } from './demo-metadata.ts';
import { type DemoPackage, readDemoPackage } from './demo-table.ts';

/** Returns the ids of the demo's domains in the tenant, without those that a user renamed or removed. */
async function findDomainIds(api: ApiClient): Promise<ReadonlyMap<DemoDomain, string>> {
  const { data } = await api.get<{ data: { id: string; name: string }[] }>('/domains?size=1000');
  return new Map(data.map(({ id, name }) => [name as DemoDomain, id]));
}

/**
 * Imports the publisher's descriptions of the demo's tables, with tags and domains, in as few requests as possible.
 * @throws StartFailure when a described table or column does not exist
 */
async function seedMetadata(api: ApiClient, demo: DemoPackage): Promise<void> {
  const domainIds = await findDomainIds(api);
  for (let start = 0; start < demo.tables.length; start += IMPORT_OBJECTS_MAX) {
    const tables = demo.tables.slice(start, start + IMPORT_OBJECTS_MAX);
    const metadata_objects = tables.map((table) => metadataOf(table, domainIds));
    const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
    const failed = metadata_results.find(({ success }) => !success);
    if (failed !== undefined) throw new StartFailure(`The import of ${failed.id} failed: ${failed.error_message}`);
  }
}

/**
 * Adds the demo's datamaps to their domains by one import. A datamap has no field for its domains, so the files cannot do it.
 * @throws StartFailure
 */
async function seedDatamapDomains(api: ApiClient): Promise<void> {
  const domainIds = await findDomainIds(api);
  const { data } = await api.post<DatamapSearchResponse>('/datamap/search', { size: 1000 });
  const ids = new Map(data.map(({ id, datamap }) => [datamap.name, id]));
  const metadata_objects = Object.entries(DEMO_DOMAINS).flatMap(([domain, { datamaps }]) => {
    const domainId = domainIds.get(domain as DemoDomain);
    if (domainId === undefined || datamaps === '') return [];
    return datamaps.split(' ').map((name) => ({ type: 'DATAMAP', id: ids.get(name) ?? name, add_domains: [domainId] }));
  });
  const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
  const failed = metadata_results.find(({ success }) => !success);
  if (failed !== undefined) throw new StartFailure(`The import of ${failed.id} failed: ${failed.error_message}`);
}

interface DemoFileOptions {
  readonly tenant: DemoTenant;
  /** Issuer URL of the development identity provider. */
  readonly issuer: string;
  readonly hasTables: boolean;
  /** Receives a copy of the file as applied, with the actual issuer. */
  readonly copiesFolder: string;
  readonly announce: (line: string) => void;
}

async function writeCopy(path: string, file: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, file);
  await rename(`${path}.new`, path);
}

/**
 * Applies the file of a tenant. After the first start this only reverts changes that users made; the number is announced.
 * @throws StartFailure
 */
async function applyDemoFile(
  api: ApiClient,
  { tenant, announce, copiesFolder, ...options }: DemoFileOptions,
): Promise<void> {
  const file = await (options.hasTables ? readDemoFile : readDemoPeople)(tenant, options.issuer);
  await writeCopy(join(copiesFolder, `${tenant}.yaml`), file);
  const applied = await api.postYaml<AppliedConfiguration>('/admin/apply', file);
  const { created_count: made, updated_count: changed } = applied;
  if (made + changed > 0) announce(`Applied ${tenant}.yaml: ${made} created, ${changed} updated.`);
}

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

/** Input of each step. The catalogs of the demo's tenants have been harvested before the first one. */
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

/** Names of what a home has completed: steps, and files of tenants that were applied at least once. */
class CompletedSteps {
  readonly #path: string;
  readonly #names: string[];

  private constructor(path: string, names: string[]) {
    this.#path = path;
    this.#names = names;
  }

  static async read(path: string): Promise<CompletedSteps> {
    return new CompletedSteps(path, await readDone(path));
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  async add(name: string): Promise<void> {
    if (this.has(name)) return;
    this.#names.push(name);
    await writeDone(this.#path, this.#names);
  }
}

type ApplyOptions = Omit<Parameters<typeof applyDemoFile>[1], 'tenant'>;

interface TenantAdmin {
  readonly tenant: DemoTenant;
  readonly api: ApiClient;
}

/** Applies the file of a tenant. Changes of users may prevent that, for example a second datamap of a name; then they remain. */
async function applyFile(
  { tenant, api }: TenantAdmin,
  completed: CompletedSteps,
  options: ApplyOptions,
): Promise<void> {
  const name = `${tenant}.yaml`;
  try {
    await applyDemoFile(api, { tenant, ...options });
  } catch (thrown) {
    if (!completed.has(name)) throw thrown;
    const { message } = startFailure('The request failed', thrown);
    options.announce(`The demo keeps the changes of its users: ${name} cannot be applied again. ${message}`);
  }
  await completed.add(name);
}

/** Runs the steps that the home has not completed. */
async function runSteps(
  admins: readonly TenantAdmin[],
  completed: CompletedSteps,
  { open, announce, signal }: Pick<SeedParts, 'open'> & Pick<SeedOptions, 'announce' | 'signal'>,
): Promise<void> {
  const due = STEPS.filter(({ name }) => !completed.has(name));
  if (due.length === 0) return;
  announce('Harvesting the catalog ...');
  for (const { api } of admins) await awaitHarvest(api, signal);
  const demo = await readDemoPackage();
  for (const step of due) {
    announce(step.message);
    await step.run({ demo, open });
    await completed.add(step.name);
  }
}

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
    openApi({
      ...{ url: addresses.api, tenant, email: `${name}@${tenant}.example`, password: DEMO_PASSWORD },
      ...{ announce, signal },
    });
  try {
    const admins = await Promise.all(
      DEMO_TENANTS.map(async (tenant) => ({ tenant, api: await open(tenant, 'admin') })),
    );
    const completed = await CompletedSteps.read(statePath);
    const options = { issuer: addresses.identityProvider, hasTables, copiesFolder, announce };
    for (const admin of admins) {
      await applyFile(admin, completed, options);
      signal.throwIfAborted();
    }
    if (hasTables) await runSteps(admins, completed, { open, announce, signal });
  } catch (thrown) {
    signal.throwIfAborted();
    const { message } = startFailure('A step failed', thrown);
    announce(`The demo is incomplete; the next start will try again. ${message}`);
  }
}
