import { type LookupAddress, type LookupAllOptions, lookup as lookUpName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { ProblemError } from '@sluice/contract';
import { Agent, fetch } from 'undici';
import { isLoopbackHost, isPrivateAddress } from './private-address.ts';

/** What openid-client asks of a fetch. */
export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingFetch extends AsyncDisposable {
  /** Throws `invalid_request`, in words, for an address that is never asked. */
  checkAddress(url: URL): void;
  /** Follows no redirect, and reads no more than a mebibyte. */
  fetch(url: string, request: OutgoingRequest): Promise<Response>;
}

export interface OutgoingFetchOptions {
  /** Names and addresses that may be private, as they stand in URLs; over loopback `http:` is taken from these too. */
  readonly privateHosts: readonly string[];
  /** What names stand for. Default: what the system says. */
  readonly lookUpAll?: LookUpAll;
}

/** Every address of a name. */
export type LookUpAll = (
  host: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const ANSWER_BYTES_MAX = 1024 * 1024;

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();

const refuse = (message: string): ProblemError => new ProblemError('invalid_request', message);

const refusePrivate = (host: string): ProblemError =>
  refuse(`${host} is an address of a private network; the operator lists what may be asked there in SSO_PRIVATE_HOSTS`);

/**
 * Requests to addresses that somebody else has named. What a name stands for is checked when the connection is made, so that it cannot
 * be another address by then.
 */
export function createOutgoingFetch({ privateHosts, lookUpAll = lookUpName }: OutgoingFetchOptions): OutgoingFetch {
  const mayBePrivate = new Set(privateHosts.map((host) => host.toLowerCase()));

  const lookup: LookupFunction = (host, options, answer) => {
    lookUpAll(host, { ...options, all: true }, (error, found) => {
      const refused =
        error ?? (found.some(({ address }) => isPrivateAddress(address)) ? refusePrivate(host) : undefined);
      if (refused !== undefined && (error !== null || !mayBePrivate.has(host.toLowerCase()))) {
        answer(refused, []);
        return;
      }
      const [first] = found;
      if (options.all === true || first === undefined) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };
  const agent = new Agent({ connect: { lookup }, maxResponseSize: ANSWER_BYTES_MAX, keepAliveTimeout: 1000 });

  const checkAddress = (url: URL): void => {
    const host = hostOf(url);
    const isOwn = mayBePrivate.has(host);
    if (url.username !== '' || url.password !== '') throw refuse('an address must hold no credentials');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(host) && isOwn)) {
      throw refuse(`${url.protocol}//${url.host} is not https`);
    }
    if (!isOwn && (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host)))) throw refusePrivate(host);
  };

  return {
    checkAddress,
    async fetch(text, { method, headers, body, signal }) {
      checkAddress(new URL(text));
      const response = await fetch(text, {
        method,
        // What is packed could become far more than was read.
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        dispatcher: agent,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.headers.has('content-encoding')) {
        await response.body?.cancel();
        throw new TypeError('the answer is packed, which was not asked for');
      }
      return response as unknown as Response;
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
