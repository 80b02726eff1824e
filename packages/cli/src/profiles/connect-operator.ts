import { type Client, createClient, ResponseError } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { readVariable } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { configFolder } from './config-folder.ts';
import { openProfileFile } from './profile-file.ts';
import { resolveApiUrl } from './resolve-login.ts';
import { useProxies } from './use-proxies.ts';

/**
 * Returns a client of the operator's operations, with the token of SLUICE_OPERATOR_TOKEN. Its host is that of the environment or profile.
 * @throws UsageError without the token or without an API host
 */
export async function connectOperator({ environment, globals }: CommandContext): Promise<Client> {
  const token = readVariable(environment, 'SLUICE_OPERATOR_TOKEN');
  if (token === undefined)
    throw new UsageError('Set SLUICE_OPERATOR_TOKEN to the OPERATOR_TOKEN of the API host to manage tenants.');
  const profiles = await openProfileFile(configFolder(environment)).read();
  const apiUrl = resolveApiUrl({ environment, profile: globals.profile, profiles });
  if (apiUrl === undefined) throw new UsageError('Set SLUICE_API_URL to the URL of the API host, or use --profile.');
  // These operations belong to no tenant and are on the API host only.
  const hosts = await useProxies(environment, { apiUrl, streamUrl: apiUrl });
  return createClient({ ...hosts, tenant: 'operator', auth: { token: () => token } });
}

/**
 * Waits for the list of tenants or a new one, for which 404 means that the host has no such operations.
 * @throws CommandError if the host has no OPERATOR_TOKEN
 */
export async function requireOperatorRoutes<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ResponseError) || error.status !== 404) throw error;
    throw new CommandError('This API host manages no tenants. Start it with OPERATOR_TOKEN.', { cause: error });
  }
}
