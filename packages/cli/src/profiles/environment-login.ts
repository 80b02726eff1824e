import type { ClientCredentialsAuth, PasswordAuth } from '@sluice/client';
import { type Environment, readVariable, type VariableName } from '../environment.ts';
import { UsageError } from '../errors.ts';

/** Credentials of the environment that open a session. */
export type EnvironmentCredentials = ClientCredentialsAuth | PasswordAuth;

/** Login of the environment: credentials, or an access token of a session that was opened elsewhere. */
export type EnvironmentAuth = EnvironmentCredentials | { readonly token: string };

/**
 * Returns whether a session of the environment's credentials is kept for later commands.
 * @throws UsageError if SLUICE_CACHE is neither true nor false
 */
export function keepsSession(environment: Environment): boolean {
  const text = readVariable(environment, 'SLUICE_CACHE') ?? 'true';
  if (text !== 'true' && text !== 'false') throw new UsageError('SLUICE_CACHE must be true or false.');
  return text === 'true';
}

/** @throws UsageError if a header cannot carry the token */
function requireToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('SLUICE_TOKEN must be an access token: printable characters of ASCII, without spaces.');
}

/** Reads a pair of variables of which neither is of use alone. */
function readPair(
  environment: Environment,
  first: VariableName,
  second: VariableName,
): readonly [string, string] | undefined {
  const [a, b] = [readVariable(environment, first), readVariable(environment, second)];
  if (a !== undefined && b !== undefined) return [a, b];
  if (a === undefined && b === undefined) return undefined;
  const [set, missing] = a === undefined ? [second, first] : [first, second];
  throw new UsageError(`${set} is set without ${missing}. Set both, or unset it.`);
}

/** Returns the variables of a login, with a verb, for messages. */
export function describeEnvironmentLogin(auth: EnvironmentAuth): string {
  if ('token' in auth) return 'SLUICE_TOKEN is';
  return 'clientId' in auth ? 'SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET are' : 'SLUICE_EMAIL and SLUICE_PASSWORD are';
}

/**
 * Returns the login of the environment: a token before a client secret, and that before a password.
 * @throws UsageError if only half of a pair is set
 */
export function readEnvironmentLogin(environment: Environment): EnvironmentAuth | undefined {
  const token = readVariable(environment, 'SLUICE_TOKEN');
  if (token !== undefined) return { token: requireToken(token) };
  const client = readPair(environment, 'SLUICE_CLIENT_ID', 'SLUICE_CLIENT_SECRET');
  if (client !== undefined) return { clientId: client[0], clientSecret: client[1] };
  const user = readPair(environment, 'SLUICE_EMAIL', 'SLUICE_PASSWORD');
  return user === undefined ? undefined : { email: user[0], password: user[1] };
}
