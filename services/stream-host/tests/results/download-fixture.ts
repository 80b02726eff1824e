import { afterAll, beforeAll } from '@jest/globals';
import { DOWNLOAD_FORMATS, type DownloadFormat, type DownloadFormatName } from '@sluice/contract';
import type { ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post } from '@sluice/testkit/requests';
import { type CurlOutcome, curl } from './download-client.ts';

/** Hosts that all tests of one format share, and requests for downloads in this format. */
export interface DownloadFixture {
  readonly name: DownloadFormatName;
  readonly format: DownloadFormat;
  readonly url: string;
  readonly hosts: TestHosts;
  readonly ann: Credential;
  /** A user of a tenant with a time limit of one second. */
  readonly timeLimited: Credential;
  /** A user of a tenant with a limit of 1,000 rows. */
  readonly rowLimited: Credential;
  download(body: unknown, headers?: Credential): Promise<ReceivedResponse>;
  fetch(sql: string, signal?: AbortSignal): Promise<Response>;
  curl(sql: string, ...options: string[]): Promise<CurlOutcome>;
}

export interface DownloadFixtureOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs before the hosts start. */
  readonly prepare?: () => Promise<void>;
}

async function userOf(hosts: TestHosts, name: string, settings: object): Promise<Credential> {
  const user = await hosts.build.user(await hosts.build.tenant({ name, settings }));
  return { ...basicOf(user), host: `${name}-stream.localhost` };
}

/** Starts one pair of hosts for the tests of a file. Its members are available in tests and hooks only. */
export function createDownloadFixture(
  name: DownloadFormatName,
  { settings, prepare }: DownloadFixtureOptions,
): DownloadFixture {
  const callers: Record<string, Credential> = {};
  const started: { hosts?: TestHosts } = {};
  const fixture: DownloadFixture = {
    name,
    format: DOWNLOAD_FORMATS[name] as DownloadFormat,
    get hosts() {
      if (started.hosts === undefined) throw new Error('the hosts have not started');
      return started.hosts;
    },
    get url() {
      return `${fixture.hosts.url}/query/download/${name}`;
    },
    get ann() {
      return callers['ann'] ?? {};
    },
    get timeLimited() {
      return callers['timeLimited'] ?? {};
    },
    get rowLimited() {
      return callers['rowLimited'] ?? {};
    },
    download: (body: unknown, headers: Credential = fixture.ann) => post(fixture.url, body, headers),
    fetch: (sql: string, signal?: AbortSignal) =>
      fetch(fixture.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...fixture.ann },
        body: JSON.stringify({ sql }),
        ...(signal === undefined ? {} : { signal }),
      }),
    curl: (sql: string, ...options: string[]) =>
      curl(fixture.url, { body: { sql }, credential: fixture.ann, folder: fixture.hosts.folder }, ...options),
  };
  beforeAll(async () => {
    await prepare?.();
    const hosts = await startHosts(settings);
    started.hosts = hosts;
    callers['ann'] = basicOf(hosts.ann);
    callers['timeLimited'] = await userOf(hosts, 'time-limited', { queryTimeLimitMs: 1000 });
    callers['rowLimited'] = await userOf(hosts, 'row-limited', { rowsMax: 1000 });
  }, 300_000);
  afterAll(async () => await started.hosts?.[Symbol.asyncDispose]());
  return fixture;
}
