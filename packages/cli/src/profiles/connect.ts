import { type Auth, createClient } from '@sluice/client';
import type { Connection, Environment } from '../context.ts';
import { NotLoggedInError, UsageError } from '../errors.ts';

const NEEDED = ['SLUICE_API_URL', 'SLUICE_STREAM_URL', 'SLUICE_TENANT'] as const;

const textOf = (environment: Environment, name: string): string | undefined => {
  const text = environment[name];
  return text === '' ? undefined : text;
};

function authOf(environment: Environment): Auth | undefined {
  const clientId = textOf(environment, 'SLUICE_CLIENT_ID');
  const clientSecret = textOf(environment, 'SLUICE_CLIENT_SECRET');
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const email = textOf(environment, 'SLUICE_EMAIL');
  const password = textOf(environment, 'SLUICE_PASSWORD');
  return email !== undefined && password !== undefined ? { email, password } : undefined;
}

/**
 * Returns a client for the account that the environment names.
 * @throws NotLoggedInError if it names none, UsageError if only a part is set
 */
export function connect(environment: Environment): Connection {
  const auth = authOf(environment);
  if (auth === undefined)
    throw new NotLoggedInError(
      'You are not logged in. Run `sluice login`, or set SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET.',
    );
  const missing = NEEDED.filter((name) => textOf(environment, name) === undefined);
  if (missing.length > 0) throw new UsageError(`Set ${missing.join(', ')} in the environment too.`);
  const [apiUrl, streamUrl, tenant] = NEEDED.map((name) => textOf(environment, name) ?? '') as [string, string, string];
  return { client: createClient({ tenant, apiUrl, streamUrl, auth }), tenant, apiUrl, streamUrl };
}
