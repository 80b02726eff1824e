import type { ClientCredentialsAuth, PasswordAuth } from '@sluice/client';
import { type Environment, readVariable, type VariableName } from '../environment.ts';
import { UsageError } from '../errors.ts';

/** Credentials of the environment. */
export type EnvironmentAuth = ClientCredentialsAuth | PasswordAuth;

/**
 * Returns whether a session of the environment's credentials is kept for later commands.
 * @throws UsageError if SLUICE_CACHE is neither true nor false
 */
export function keepsSession(environment: Environment): boolean {
  const text = readVariable(environment, 'SLUICE_CACHE') ?? 'true';
  if (text !== 'true' && text !== 'false') throw new UsageError('SLUICE_CACHE must be true or false.');
  return text === 'true';
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

/**
 * Returns the credentials of the environment: a client secret before a password.
 * @throws UsageError if only half of a pair is set
 */
export function readEnvironmentLogin(environment: Environment): EnvironmentAuth | undefined {
  const client = readPair(environment, 'SLUICE_CLIENT_ID', 'SLUICE_CLIENT_SECRET');
  if (client !== undefined) return { clientId: client[0], clientSecret: client[1] };
  const user = readPair(environment, 'SLUICE_EMAIL', 'SLUICE_PASSWORD');
  return user === undefined ? undefined : { email: user[0], password: user[1] };
}
