import { type Client, createClient, ResponseError } from '@sluice/client';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { formatDuration } from '../times/format-time.ts';
import { type CheckResult, messageOf } from './check.ts';

/** Tokens and certificates are compared with clocks; a few seconds never matter. */
const SKEW_WARNING_MS = 5_000;
const SKEW_MAX_MS = 60_000;
const TIMEOUT_MS = 15_000;

export type HostKind = 'api' | 'stream';

interface Host {
  readonly kind: HostKind;
  /** `API host` or `stream host`. */
  readonly title: string;
  readonly url: string;
  readonly operations: Pick<Client['api'], 'health' | 'ready' | 'live'>;
  /** Clock of the host minus that of this computer in milliseconds, from the `Date` of the last response. */
  readonly skewMs: () => number | undefined;
}

const SERVICES = { api: 'sluice-api', stream: 'sluice-stream' } as const;

/** Opens the two hosts without a login. */
export function openHosts(hosts: TenantHosts): readonly Host[] {
  const skews = new Map<string, number>();
  const client = createClient({
    ...hosts,
    auth: { token: () => Promise.reject(new Error('These requests need no token.')) },
    retries: 0,
    timeoutMs: TIMEOUT_MS,
    middleware: [
      async ({ host }, next) => {
        const sentAt = Date.now();
        const response = await next();
        const date = Date.parse(response.headers.get('date') ?? '');
        // The header has whole seconds, so the clock was half a second later on average.
        if (!Number.isNaN(date)) skews.set(host, date + 500 - (sentAt + Date.now()) / 2);
        return response;
      },
    ],
  });
  return (['api', 'stream'] as const).map((kind) => ({
    kind,
    title: kind === 'api' ? 'API host' : 'stream host',
    url: kind === 'api' ? hosts.apiUrl : hosts.streamUrl,
    operations: client[kind],
    skewMs: () => skews.get(kind),
  }));
}

/** Returns the sentence with which a request to the host fails. */
export async function explainFailure({ operations }: Host): Promise<string> {
  const error = await operations.live().then(
    () => new Error('The connection failed once, and then worked'),
    (thrown: unknown) => thrown,
  );
  return messageOf(error);
}

/** Checks that the URL leads to the right host, and that it works. */
export async function checkHealth({ kind, title, operations }: Host, signal: AbortSignal): Promise<CheckResult> {
  const name = `Health of the ${title}`;
  try {
    const { service, status } = await operations.health({ signal });
    if (service !== SERVICES[kind])
      return {
        name,
        status: 'failed',
        message: `the URL leads to ${service}, not to ${SERVICES[kind]}. Log in again with --api-url and --stream-url`,
      };
    if (status === 'ok') return { name, status: 'ok', message: `${service} works` };
    return { name, status: 'warning', message: `${service} is ${status}: a back end is down. Tell its operator` };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name, status: 'failed', message: messageOf(error) };
  }
}

/** Names of the back ends that a host reports as down. */
function downOf(error: unknown): string {
  const body: unknown = error instanceof ResponseError ? error.body : undefined;
  const checks: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'checks') : undefined;
  if (typeof checks !== 'object' || checks === null) return '';
  return Object.entries(checks)
    .filter(([, state]) => state === 'down')
    .map(([name]) => name)
    .join(', ');
}

/** Checks that every back end of a host responds. */
export async function checkReadiness({ title, operations }: Host, signal: AbortSignal): Promise<CheckResult> {
  const name = `Back ends of the ${title}`;
  try {
    const { checks } = await operations.ready({ signal });
    const names = Object.keys(checks);
    return {
      name,
      status: 'ok',
      message: `${names.join(', ') || 'all'} ${names.length === 1 ? 'responds' : 'respond'}`,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const down = downOf(error);
    const message = down === '' ? messageOf(error) : `${down} does not respond. Tell the operator of the host`;
    return { name, status: 'failed', message };
  }
}

/** Compares the clock of this computer with that of a host. */
export function checkClock({ title, skewMs }: Host): CheckResult {
  const name = `Clock against the ${title}`;
  const skew = skewMs();
  if (skew === undefined) return { name, status: 'skipped', message: 'the host did not say its time' };
  const distance = formatDuration(Math.abs(skew));
  if (Math.abs(skew) <= SKEW_WARNING_MS) return { name, status: 'ok', message: `${distance} apart` };
  const message = `this computer is ${distance} ${skew > 0 ? 'behind' : 'ahead'}. Set its clock by NTP, or tell the operator of the host`;
  return { name, status: Math.abs(skew) > SKEW_MAX_MS ? 'failed' : 'warning', message };
}

/** Compares the version of a host with that of the command line. */
export async function checkVersion({ title, url }: Host, version: string, signal: AbortSignal): Promise<CheckResult> {
  const name = `Version of the ${title}`;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // A document, not an operation, so the client has no function for it.
    const response = await fetch(`${url}/openapi.json`, { signal: limit, redirect: 'error' });
    const document = (await response.json()) as { readonly info?: { readonly version?: string } };
    const found = document.info?.version;
    if (found === undefined) return { name, status: 'warning', message: 'the host does not say its version' };
    if (found === version) return { name, status: 'ok', message: `${found}, as this command line` };
    const message = `${found}, and this command line is ${version}. Install the version of the hosts if something fails`;
    return { name, status: 'warning', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name, status: 'failed', message: `the host did not return /openapi.json (${messageOf(error)})` };
  }
}
