import { type Client, createClient, ResponseError } from '@sluice/client';
import type { Connection } from '../context.ts';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { CommandError } from '../errors.ts';
import { formatDuration, formatFutureTime } from '../times/time.ts';
import { type CheckResult, messageOf, type ReportCheck } from './check.ts';
import { checkDns, checkTls } from './check-network.ts';

/** Tokens and certificates are compared with clocks; a few seconds never matter. */
const SKEW_WARNING_MS = 5_000;
const SKEW_MAX_MS = 60_000;
const TIMEOUT_MS = 15_000;

type HostKind = 'api' | 'stream';

interface Host {
  readonly kind: HostKind;
  /** `API host` or `stream host`. */
  readonly title: string;
  readonly url: string;
  readonly operations: Pick<Client['api'], 'health' | 'ready' | 'live'>;
  readonly fetch: typeof fetch;
  /** Name of the proxy on the way to it. */
  readonly proxy: string | undefined;
  /** Clock of the host minus that of this computer in milliseconds, from the `Date` of the last response. */
  readonly skewMs: () => number | undefined;
}

const SERVICES = { api: 'sluice-api', stream: 'sluice-stream' } as const;

/** Opens the two hosts without a login. */
function openHosts(hosts: TenantHosts, proxyOf: ChecksInput['proxyOf']): readonly Host[] {
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
  return (['api', 'stream'] as const).map((kind) => {
    const url = kind === 'api' ? hosts.apiUrl : hosts.streamUrl;
    return {
      kind,
      title: kind === 'api' ? 'API host' : 'stream host',
      url,
      operations: client[kind],
      fetch: hosts.fetch ?? fetch,
      proxy: proxyOf(url),
      skewMs: () => skews.get(kind),
    };
  });
}

/** Returns the sentence with which a request to the host fails. */
async function explainFailure({ operations }: Host): Promise<string> {
  const error = await operations.live().then(
    () => new Error('The connection failed once, and then worked'),
    (thrown: unknown) => thrown,
  );
  return messageOf(error);
}

/** Checks that the URL leads to the right host, and that it works. */
async function checkHealth({ kind, title, operations }: Host, signal: AbortSignal): Promise<CheckResult> {
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
function describeOutage(error: unknown): string {
  const body: unknown = error instanceof ResponseError ? error.body : undefined;
  const checks: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'checks') : undefined;
  if (typeof checks !== 'object' || checks === null) return '';
  return Object.entries(checks)
    .filter(([, state]) => state === 'down')
    .map(([name]) => name)
    .join(', ');
}

/** Checks that every back end of a host responds. */
async function checkReadiness({ title, operations }: Host, signal: AbortSignal): Promise<CheckResult> {
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
    const down = describeOutage(error);
    const message = down === '' ? messageOf(error) : `${down} does not respond. Tell the operator of the host`;
    return { name, status: 'failed', message };
  }
}

/** Compares the clock of this computer with that of a host. */
function checkClock({ title, skewMs }: Host): CheckResult {
  const name = `Clock against the ${title}`;
  const skew = skewMs();
  if (skew === undefined) return { name, status: 'skipped', message: 'the host did not say its time' };
  const distance = formatDuration(Math.abs(skew));
  if (Math.abs(skew) <= SKEW_WARNING_MS) return { name, status: 'ok', message: `${distance} apart` };
  const message = `this computer is ${distance} ${skew > 0 ? 'behind' : 'ahead'}. Set its clock by NTP, or tell the operator of the host`;
  return { name, status: Math.abs(skew) > SKEW_MAX_MS ? 'failed' : 'warning', message };
}

const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

/** Reads the version in the OpenAPI document of a host. */
async function readVersion({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > DOCUMENT_BYTES_MAX) throw new CommandError('it has more than 16 MiB');
    chunks.push(chunk);
  }
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString());
  const version: unknown = (document as { readonly info?: { readonly version?: unknown } | null } | null)?.info
    ?.version;
  return typeof version === 'string' ? version : undefined;
}

/** Compares the version of a host with that of the command line. */
async function checkVersion(
  { title, url, fetch: send }: Host,
  version: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = `Version of the ${title}`;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // A document, not an operation, so the client has no function for it.
    const response = await send(`${url}/openapi.json`, { signal: limit, redirect: 'error' });
    const found = await readVersion(response);
    if (found === undefined) return { name, status: 'warning', message: 'the host does not say its version' };
    if (found === version) return { name, status: 'ok', message: `${found}, as this command line` };
    const message = `${found}, and this command line is ${version}. Install the version of the hosts if something fails`;
    return { name, status: 'warning', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name, status: 'failed', message: `the host did not return /openapi.json (${messageOf(error)})` };
  }
}

const NAME = 'Streaming';
/** Digits that are joined with themselves: each step takes ten times as long. */
const JOINS_MIN = 7;
const JOINS_MAX = 9;
/** A shorter statement ends before the check can distinguish a proxy that holds its beginning back. */
const ELAPSED_MIN_MS = 400;
/** Share of the time of a statement that must be between its first and last event. */
const GAP_SHARE = 0.25;

/** A statement whose columns are known immediately and whose only row takes long. Both engines run it. */
function slowStatement(joins: number): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join(', ');
  const names = Array.from({ length: joins }, (_, index) => `d${index}`);
  const sum = names.map((name, index) => `${name}.x * ${index + 1}`).join(' + ');
  const tables = names.map((name) => `digits ${name}`).join(' CROSS JOIN ');
  return `WITH digits(x) AS (VALUES ${digits}) SELECT max((${sum}) % 97) AS top FROM ${tables}`;
}

interface Timing {
  /** Time of the statement by the host. */
  readonly elapsedMs: number;
  /** Time between the first and the last event as they arrived here. */
  readonly gapMs: number;
}

async function measure(client: Client, joins: number, signal: AbortSignal): Promise<Timing> {
  let firstAt: number | undefined;
  const note = (): void => {
    firstAt ??= performance.now();
  };
  const query = client.query(slowStatement(joins), { signal, onProgress: note });
  const columns = query.columns.then(note);
  for await (const _rows of query.batches()) note();
  await columns;
  const elapsedMs = query.summary?.elapsedMs ?? 0;
  return { elapsedMs, gapMs: performance.now() - (firstAt ?? performance.now()) };
}

/**
 * Checks that events arrive when they are sent: a proxy that buffers responses holds the first one back until the last.
 */
async function checkStreaming(client: Client, signal: AbortSignal): Promise<CheckResult> {
  try {
    let timing = await measure(client, JOINS_MIN, signal);
    for (let joins = JOINS_MIN + 1; joins <= JOINS_MAX && timing.elapsedMs < ELAPSED_MIN_MS; joins += 1)
      timing = await measure(client, joins, signal);
    const { elapsedMs, gapMs } = timing;
    const times = `the first event came ${Math.round(gapMs)} ms before the last, of ${Math.round(elapsedMs)} ms`;
    if (gapMs >= elapsedMs * GAP_SHARE) return { name: NAME, status: 'ok', message: times };
    const message = `${times}: something on the way buffers responses. Switch that off for the stream host, such as \`proxy_buffering off\` in nginx`;
    return { name: NAME, status: 'failed', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name: NAME, status: 'failed', message: messageOf(error) };
  }
}

type Me = Awaited<ReturnType<Client['api']['getMe']>>;

const STATEMENTS = 'query:run';

/** Result of the login, and the account if both hosts accept it. */
interface LoginCheck {
  readonly result: CheckResult;
  readonly me: Me | undefined;
}

/** Asks both hosts who the caller is. */
async function checkLogin(client: Client, signal: AbortSignal): Promise<LoginCheck> {
  const name = 'Login';
  try {
    const me = await client.api.getMe({ signal });
    await client.stream.getMe({ signal });
    const end =
      me.session_expires_ts === null ? '' : `; the session ends ${formatFutureTime(me.session_expires_ts, Date.now())}`;
    return { me, result: { name, status: 'ok', message: `${me.user} in ${me.tenant}${end}` } };
  } catch (error) {
    if (signal.aborted) throw error;
    return { me: undefined, result: { name, status: 'failed', message: messageOf(error) } };
  }
}

/** Lists the permissions. An account that cannot run statements may be meant so, such as an auditor's. */
function checkPermissions({ permissions, roles }: Me): CheckResult {
  const name = 'Permissions';
  const roleText = roles.length === 0 ? 'no roles' : roles.join(', ');
  if (permissions.length === 0)
    return { name, status: 'failed', message: `${roleText}: the account may do nothing. Ask an admin for a role` };
  const listed = `${roleText}: ${permissions.join(', ')}`;
  if (permissions.includes(STATEMENTS)) return { name, status: 'ok', message: listed };
  return { name, status: 'warning', message: `${listed}. To run statements, ask an admin for ${STATEMENTS}` };
}

/** Returns whether the account may run the statement of the check of streaming. */
const mayRunStatements = (me: Me | undefined): boolean => me?.permissions.includes(STATEMENTS) ?? false;

interface ChecksInput {
  readonly hosts: TenantHosts;
  /** Connection of the login, or why there is none. */
  readonly login: Connection | { readonly problem: string };
  readonly version: string;
  /** Returns the name of the proxy on the way to a URL. */
  readonly proxyOf: (url: string) => string | undefined;
  readonly signal: AbortSignal;
}

/** Checks of a host that cannot work after an earlier one failed. */
async function checkHosts({ hosts, version, proxyOf, signal }: ChecksInput, report: ReportCheck): Promise<void> {
  for (const host of openHosts(hosts, proxyOf)) {
    const { title, url, proxy } = host;
    const skip = (name: string) => report({ name, status: 'skipped', message: `the ${title} is not reachable` });
    const dns = await checkDns(`DNS of the ${title}`, url, proxy);
    await report(dns);
    const explain = () => explainFailure(host);
    const tls =
      dns.status === 'ok' ? await checkTls(`TLS of the ${title}`, { url, proxy, signal, explain }) : undefined;
    await (tls === undefined ? skip(`TLS of the ${title}`) : report(tls));
    if (tls === undefined || tls.status === 'failed') {
      await skip(`Health of the ${title}`);
      continue;
    }
    const health = await checkHealth(host, signal);
    await report(health);
    if (health.status === 'failed') continue;
    await report(await checkReadiness(host, signal));
    await report(checkClock(host));
    await report(await checkVersion(host, version, signal));
  }
}

async function checkAccount({ login, signal }: ChecksInput, report: ReportCheck): Promise<void> {
  const name = 'Login';
  if ('problem' in login) {
    await report({ name, status: 'failed', message: login.problem });
    return await report({ name: 'Streaming', status: 'skipped', message: 'there is no login' });
  }
  const { result, me } = await checkLogin(login.client, signal);
  await report(result);
  if (me !== undefined) await report(checkPermissions(me));
  const skipped = { name: 'Streaming', status: 'skipped', message: 'it needs a login with query:run' } as const;
  await report(mayRunStatements(me) ? await checkStreaming(login.client, signal) : skipped);
}

/** Runs every check of the hosts and of the login, and reports each result when it is known. */
export async function runChecks(input: ChecksInput, report: ReportCheck): Promise<void> {
  await checkHosts(input, report);
  await checkAccount(input, report);
}
