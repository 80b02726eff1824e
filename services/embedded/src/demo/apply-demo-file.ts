import type { AppliedConfiguration } from '@sluice/contract';
import type { ApiClient } from './api-client.ts';
import { type DemoTenant, readDemoFile } from './demo-files.ts';

export interface DemoFileOrder {
  readonly tenant: DemoTenant;
  /** Where the development identity provider is. */
  readonly issuer: string;
  readonly announce: (line: string) => void;
}

/**
 * Brings a tenant to what its file says, which after the first time changes only what people changed of it; they are told.
 * @throws StartFailure
 */
export async function applyDemoFile(api: ApiClient, { tenant, issuer, announce }: DemoFileOrder): Promise<void> {
  const applied = await api.postYaml<AppliedConfiguration>('/admin/apply', await readDemoFile(tenant, issuer));
  const { created_count: made, updated_count: changed } = applied;
  if (made + changed > 0) announce(`Applied ${tenant}.yaml: ${made} made, ${changed} changed.`);
}
