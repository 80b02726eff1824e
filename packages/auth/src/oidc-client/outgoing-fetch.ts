import { type LookupAddress, type LookupAllOptions, lookup as lookUpName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { ProblemError } from '@sluice/contract';
import { Agent, fetch } from 'undici';
import { isLoopbackHost, isPrivateAddress } from './private-address.ts';
import { hostOf, privateHosts } from './private-hosts.ts';

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
  /** Checks whether the operator listed the host and port of a URL. */
  isListed(url: URL): boolean;
  /** Sends a request. Does not follow redirects, and reads at most 1 MiB. */
  fetch(url: string, request: OutgoingRequest): Promise<Response>;
}

interface OutgoingFetchOptions {
  /** Hosts of URLs, `host` or `host:port`, that may have private addresses. On loopback they may also use `http:`. */
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

const refuse = (message: string): ProblemError => new ProblemError('invalid_request', message);

const refusePrivate = (host: string): ProblemError =>
  refuse(`${host} is an address of a private network; the operator can allow it in SSO_PRIVATE_HOSTS`);

/**
 * Creates a fetch for URLs that users or providers supply. It checks the address of a host name at connection time, so that a changed
 * DNS record cannot lead to a private address after the check.
 */
export function createOutgoingFetch({
  privateHosts: entries,
  lookUpAll = lookUpName,
}: OutgoingFetchOptions): OutgoingFetch {
  const isListed = privateHosts(entries);

  const lookupFor =
    ({ mayBePrivate }: { readonly mayBePrivate: boolean }): LookupFunction =>
    (host, options, callback) => {
      lookUpAll(host, { ...options, all: true }, (error, found) => {
        const isRefused = !mayBePrivate && found?.some(({ address }) => isPrivateAddress(address));
        const failure = error ?? (isRefused ? refusePrivate(host) : undefined);
        if (failure !== undefined) {
          callback(failure, []);
          return;
        }
        const [first] = found;
        if (options.all === true || first === undefined) callback(null, found);
        else callback(null, first.address, first.family);
      });
    };
  const agentFor = (rule: { readonly mayBePrivate: boolean }): Agent =>
    new Agent({ connect: { lookup: lookupFor(rule) }, maxResponseSize: RESPONSE_BYTES_MAX, keepAliveTimeout: 1000 });
  // A lookup does not know the port, so each kind of address has its own connections.
  const agents = { listed: agentFor({ mayBePrivate: true }), others: agentFor({ mayBePrivate: false }) };

  const checkAddress = (url: URL): void => {
    const host = hostOf(url);
    const isAllowed = isListed(url);
    if (url.username !== '' || url.password !== '') throw refuse('an address must contain no credentials');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(host) && isAllowed)) {
      throw refuse(`${url.protocol}//${url.host} is not https`);
    }
    if (!isAllowed && (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host)))) throw refusePrivate(host);
  };

  return {
    checkAddress,
    isListed,
    async fetch(text, { method, headers, body, signal }) {
      const url = new URL(text);
      checkAddress(url);
      const response = await fetch(text, {
        method,
        // A compressed body could expand far beyond the limit.
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        dispatcher: isListed(url) ? agents.listed : agents.others,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.headers.has('content-encoding')) {
        await response.body?.cancel();
        throw new TypeError('The response is compressed, although the request excludes compression.');
      }
      return response as unknown as Response;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.listed.destroy(), agents.others.destroy()]);
    },
  };
}
