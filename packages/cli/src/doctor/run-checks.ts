import type { Connection } from '../context.ts';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import type { ReportCheck } from './check.ts';
import { checkClock, checkHealth, checkReadiness, checkVersion, explainFailure, openHosts } from './check-host.ts';
import { checkLogin, checkPermissions, mayRunStatements } from './check-login.ts';
import { checkDns, checkTls } from './check-network.ts';
import { checkStreaming } from './check-streaming.ts';

interface ChecksInput {
  readonly hosts: TenantHosts;
  /** Connection of the login, or why there is none. */
  readonly login: Connection | { readonly problem: string };
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Checks of a host that cannot work after an earlier one failed. */
async function checkHosts({ hosts, version, signal }: ChecksInput, report: ReportCheck): Promise<void> {
  for (const host of openHosts(hosts)) {
    const { title, url } = host;
    const skip = (name: string) => report({ name, status: 'skipped', message: `the ${title} is not reachable` });
    const dns = await checkDns(`DNS of the ${title}`, url);
    await report(dns);
    const explain = () => explainFailure(host);
    const tls = dns.status === 'ok' ? await checkTls(`TLS of the ${title}`, { url, signal, explain }) : undefined;
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
