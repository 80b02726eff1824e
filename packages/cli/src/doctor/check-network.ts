import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Environment } from '../environment.ts';
import { isUnencrypted } from '../profiles/base-url.ts';
import { proxyVariables } from '../profiles/use-proxies.ts';
import { type CheckResult, messageOf } from './check.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Automatic renewals happen about a month before the end. */
const EXPIRY_WARNING_DAYS = 14;

/** Resolves the name of a host. */
export async function checkDns(name: string, url: string, proxy: string | undefined): Promise<CheckResult> {
  if (proxy !== undefined) return { name, status: 'ok', message: `left to the proxy ${proxy}` };
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return { name, status: 'ok', message: `${host} is an address, which needs no DNS` };
  try {
    const found = await lookup(host, { all: true });
    return { name, status: 'ok', message: `${host} is ${found.map(({ address }) => address).join(', ')}` };
  } catch {
    const message = `${host} was not found. Check the name with \`sluice profile list\`, and the network or VPN`;
    return { name, status: 'failed', message };
  }
}

interface Handshake {
  readonly protocol: string;
  readonly expiresAt: number;
}

/** Connects by TLS with the authorities that Node.js trusts. */
function shakeHands(url: URL, signal: AbortSignal): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? 443 : Number(url.port);
    const socket = connect({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
    const end = (act: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      act();
    };
    const onAbort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.setTimeout(TIMEOUT_MS, () => end(() => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('secureConnect', () => {
      const expiresAt = Date.parse(socket.getPeerCertificate().valid_to);
      end(() => resolve({ protocol: socket.getProtocol() ?? 'TLS', expiresAt }));
    });
  });
}

/**
 * Checks the certificate of a host and when it ends.
 * @param explain - returns the sentence with which a request to the host fails, which says what to do
 */
export async function checkTls(
  name: string,
  {
    url,
    proxy,
    signal,
    explain,
  }: {
    readonly url: string;
    readonly proxy: string | undefined;
    readonly signal: AbortSignal;
    readonly explain: () => Promise<string>;
  },
): Promise<CheckResult> {
  if (isUnencrypted(url))
    return { name, status: 'warning', message: `${url} is not encrypted: others on the way can read it. Use https` };
  if (new URL(url).protocol === 'http:')
    return { name, status: 'ok', message: 'plain HTTP, which stays on this computer' };
  if (proxy !== undefined)
    return { name, status: 'skipped', message: `it is behind the proxy ${proxy}; the next check uses it` };
  try {
    const { protocol, expiresAt } = await shakeHands(new URL(url), signal);
    const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
    const end = `${new Date(expiresAt).toISOString().slice(0, 10)} (in ${days} days)`;
    if (days >= EXPIRY_WARNING_DAYS)
      return { name, status: 'ok', message: `${protocol}, certificate valid until ${end}` };
    return { name, status: 'warning', message: `the certificate ends on ${end}. Its operator must renew it` };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name, status: 'failed', message: await explain().catch(() => messageOf(error)) };
  }
}

interface HostUrls {
  readonly apiUrl: string;
  readonly streamUrl: string;
}

/** Says through which proxy each host is reached. */
export async function checkProxies(environment: Environment, hosts: HostUrls | undefined): Promise<CheckResult> {
  const name = 'Proxy';
  const names = proxyVariables(environment);
  if (names.length === 0) return { name, status: 'ok', message: 'none is set, and none is used' };
  if (hosts === undefined) return { name, status: 'ok', message: `${names.join(', ')} set` };
  const proxyOf = await createProxyOf(environment);
  const way = (url: string): string => proxyOf(url) ?? 'reached directly';
  return { name, status: 'ok', message: `API host: ${way(hosts.apiUrl)}; stream host: ${way(hosts.streamUrl)}` };
}

/** Returns the function that names the proxy on the way to a URL. */
export async function createProxyOf(environment: Environment): Promise<(url: string) => string | undefined> {
  if (proxyVariables(environment).length === 0) return () => undefined;
  const { findProxy } = await import('@sluice/client/node');
  return (url) => findProxy(environment, new URL(url))?.url.origin;
}
