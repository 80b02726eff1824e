import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppliedConfiguration } from '@sluice/contract';
import type { ApiClient } from './api-client.ts';
import { type DemoTenant, readDemoFile, readDemoPeople } from './demo-files.ts';

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
export async function applyDemoFile(
  api: ApiClient,
  { tenant, announce, copiesFolder, ...options }: DemoFileOptions,
): Promise<void> {
  const file = await (options.hasTables ? readDemoFile : readDemoPeople)(tenant, options.issuer);
  await writeCopy(join(copiesFolder, `${tenant}.yaml`), file);
  const applied = await api.postYaml<AppliedConfiguration>('/admin/apply', file);
  const { created_count: made, updated_count: changed } = applied;
  if (made + changed > 0) announce(`Applied ${tenant}.yaml: ${made} created, ${changed} updated.`);
}
