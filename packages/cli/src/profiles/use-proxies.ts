import { type Environment, readVariable, type VariableName } from '../environment.ts';
import { UsageError } from '../errors.ts';

const VARIABLES: readonly VariableName[] = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Returns the names of the variables that name a proxy. */
export const proxyVariables = (environment: Environment): readonly VariableName[] =>
  VARIABLES.filter((name) => readVariable(environment, name) !== undefined);

/**
 * Adds to hosts the `fetch` that uses the proxies of the environment. Usually there are none, and nothing is loaded.
 * @throws UsageError if a variable is not the URL of an http or https proxy
 */
export async function useProxies<Hosts extends object>(
  environment: Environment,
  hosts: Hosts,
): Promise<Hosts & { readonly fetch?: typeof fetch }> {
  if (proxyVariables(environment).length === 0) return hosts;
  const { createProxyFetch } = await import('@sluice/client/node');
  try {
    return { ...hosts, fetch: createProxyFetch(environment) };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}
