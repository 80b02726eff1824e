import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';

/** Both hosts, and what a process of `sluice` needs to use them. */
export interface CliHosts extends AsyncDisposable {
  readonly hosts: TestHosts;
  /** Home folder of the processes, empty at first. Also their working folder. */
  readonly home: string;
  /** Environment of a process that is not logged in. */
  readonly bare: Readonly<Record<string, string>>;
  /** Environment with the password of an analyst of acme. */
  readonly analyst: Readonly<Record<string, string>>;
  /** Environment with the password of a new user with these roles. */
  readonly environmentOf: (roles: readonly string[]) => Promise<Readonly<Record<string, string>>>;
}

/**
 * Starts both hosts with the tested tables, which are in the catalog too.
 * @param apiSettings - settings of the API host; `settings` are those of the stream host
 */
export async function startCliHosts(
  settings: Readonly<Record<string, string>> = {},
  apiSettings: Readonly<Record<string, string>> = {},
): Promise<CliHosts> {
  const hosts = await startHosts(settings, { isHarvested: true, apiSettings });
  const home = await mkdtemp(join(tmpdir(), 'sluice-home-'));
  const bare = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    LANG: 'C.UTF-8',
  };
  const withAccount = ({ email, password }: { readonly email: string; readonly password: string }) => ({
    ...bare,
    SLUICE_API_URL: hosts.api.url,
    SLUICE_STREAM_URL: hosts.url,
    SLUICE_TENANT: 'acme',
    SLUICE_EMAIL: email,
    SLUICE_PASSWORD: password,
  });
  return {
    hosts,
    home,
    bare,
    analyst: withAccount(hosts.ann),
    environmentOf: async (roles) => withAccount(await hosts.build.user(hosts.acme, { roles: [...roles] })),
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}
