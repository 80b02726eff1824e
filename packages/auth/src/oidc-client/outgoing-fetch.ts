import { type LookupAddress, type LookupAllOptions, lookup as lookUpName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { ProblemError } from '@sluice/contract';
import { Agent, fetch } from 'undici';
import { isLoopbackHost, isPrivateAddress } from './private-address.ts';

/** Request options that openid-client passes to its fetch. */
interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingFetch extends AsyncDisposable {
  /** Throws `invalid_request` with the reason for an address to which requests are not allowed. */
  checkAddress(url: URL): void;
  /** Sends a request. Does not follow redirects, and reads at most 1 MiB. */
  fetch(url: string, request: OutgoingRequest): Promise<Response>;
}

interface OutgoingFetchOptions {
  /** Hosts of URLs that may have private addresses. On loopback they may also use `http:`. */
  readonly privateHosts: readonly string[];
  /** Resolver of host names. Default: that of the system. */
  readonly lookUpAll?: LookUpAll;
}

/** Looks up all addresses of a name. */
export type LookUpAll = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const RESPONSE_BYTES_MAX = 1024 * 1024;

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();

const refuse = (message: string): ProblemError => new ProblemError('invalid_request', message);

const refusePrivate = (host: string): ProblemError =>
  refuse(`${host} is an address of a private network; the operator can allow it in SSO_PRIVATE_HOSTS`);

/**
 * Creates a fetch for URLs that users or providers supply. It checks the address of a host name at connection time, so that a changed
 * DNS record cannot lead to a private address after the check.
 */
export function createOutgoingFetch({ privateHosts, lookUpAll = lookUpName }: OutgoingFetchOptions): OutgoingFetch {
  const mayBePrivate = new Set(privateHosts.map((host) => host.toLowerCase()));

  const lookup: LookupFunction = (host, options, callback) => {
    lookUpAll(host, { ...options, all: true }, (error, found) => {
      const failure =
        error ?? (found.some(({ address }) => isPrivateAddress(address)) ? refusePrivate(host) : undefined);
      if (failure !== undefined && (error !== null || !mayBePrivate.has(host.toLowerCase()))) {
        callback(failure, []);
        return;
      }
      const [first] = found;
      if (options.all === true || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
  const agent = new Agent({ connect: { lookup }, maxResponseSize: RESPONSE_BYTES_MAX, keepAliveTimeout: 1000 });

  const checkAddress = (url: URL): void => {
    const host = hostOf(url);
    const isListed = mayBePrivate.has(host);
    if (url.username !== '' || url.password !== '') throw refuse('an address must contain no credentials');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(host) && isListed)) {
      throw refuse(`${url.protocol}//${url.host} is not https`);
    }
    if (!isListed && (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host)))) throw refusePrivate(host);
  };

  return {
    checkAddress,
    async fetch(text, { method, headers, body, signal }) {
      checkAddress(new URL(text));
      const response = await fetch(text, {
        method,
        // A compressed body could expand far beyond the limit.
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        dispatcher: agent,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.headers.has('content-encoding')) {
        await response.body?.cancel();
        throw new TypeError('The response is compressed, although the request excludes compression.');
      }
      return response as unknown as Response;
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
