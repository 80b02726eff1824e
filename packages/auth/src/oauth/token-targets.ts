import { ProblemError } from '@sluice/contract';

/** Host for which an access token is. */
export type TokenTarget = 'api' | 'stream';

/** Hosts for which an access token is. Undefined: both. */
export type TokenTargets = readonly TokenTarget[] | undefined;

/** Public address of each host, without a slash at its end. Undefined: this host does not know it. */
export type TargetAddresses = Readonly<Record<TokenTarget, string | undefined>>;

const NAMES: readonly TokenTarget[] = ['api', 'stream'];

export const isTokenTarget = (name: string): name is TokenTarget => NAMES.some((each) => each === name);

const invalidTarget = (reason: string): ProblemError => new ProblemError('invalid_target', reason);

function targetOf(resource: string, addresses: TargetAddresses): TokenTarget {
  const address = resource.endsWith('/') ? resource.slice(0, -1) : resource;
  const found = NAMES.find((name) => addresses[name] === address);
  if (found !== undefined) return found;
  const known = NAMES.flatMap((name) => addresses[name] ?? []);
  throw invalidTarget(`resource must be the address of a host: ${known.join(' or ')}.`);
}

/**
 * Reads the hosts that a request names, once or several times (RFC 8707 section 2). Addresses are compared as text. Throws `invalid_target`
 * for any other address.
 */
export function parseTargets(
  resource: string | readonly string[] | undefined,
  addresses: TargetAddresses,
): TokenTargets {
  if (resource === undefined) return undefined;
  const resources = typeof resource === 'string' ? [resource] : resource;
  return [...new Set(resources.map((each) => targetOf(each, addresses)))];
}

/** Returns the hosts of an access token: those that a request names, or all that were granted. Throws `invalid_target` for another host. */
export function requireGranted(wanted: TokenTargets, granted: TokenTargets): TokenTargets {
  if (wanted === undefined) return granted;
  const beyond = wanted.filter((each) => granted !== undefined && !granted.includes(each));
  if (beyond.length === 0) return wanted;
  throw invalidTarget(
    `The program has no access to the ${beyond.join(' and the ')} host, because its login did not ask for it.`,
  );
}
