import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppliedConfiguration } from '@sluice/contract';
import type { ApiClient } from './api-client.ts';
import { type DemoTenant, readDemoFile, readDemoPeople } from './demo-files.ts';

export interface DemoFileOptions {
  readonly tenant: DemoTenant;
  /** Where the development identity provider is. */
  readonly issuer: string;
  /** Whether the engine has the demo's tables. */
  readonly hasTables: boolean;
  /** Gets a copy of the file as it is applied, with the issuer that it has here. */
  readonly copiesFolder: string;
  readonly announce: (line: string) => void;
}

async function writeCopy(path: string, file: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, file);
  await rename(`${path}.new`, path);
}

/**
 * Brings a tenant to what its file says, which after the first time changes only what people changed of it; they are told.
 * @throws StartFailure
 */
export async function applyDemoFile(
  api: ApiClient,
  { tenant, announce, copiesFolder, ...order }: DemoFileOptions,
): Promise<void> {
  const file = await (order.hasTables ? readDemoFile : readDemoPeople)(tenant, order.issuer);
  await writeCopy(join(copiesFolder, `${tenant}.yaml`), file);
  const applied = await api.postYaml<AppliedConfiguration>('/admin/apply', file);
  const { created_count: made, updated_count: changed } = applied;
  if (made + changed > 0) announce(`Applied ${tenant}.yaml: ${made} made, ${changed} changed.`);
}
