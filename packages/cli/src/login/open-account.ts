import { visibleLine } from '@sluice/contract/visible-text';
import type { CommandContext } from '../context.ts';
import { logInByBrowser } from '../credentials/browser-login.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { awaitDeviceLogin, beginDeviceLogin, requireWebAddress } from '../credentials/oauth-login.ts';
import { openClientSession, openSession, type TenantHosts } from '../credentials/renew-credentials.ts';
import { UsageError } from '../errors.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { askHidden, readPipedSecret } from '../terminal/prompt.ts';
import type { Account, SecretAccount } from './choose-account.ts';

async function readSecret({ terminal, signal }: CommandContext, { kind }: SecretAccount): Promise<string> {
  const what = kind === 'email' ? 'password' : 'client secret';
  if (terminal.stdin.isTTY !== true) return await readPipedSecret(terminal, what, signal);
  if (!terminal.isInteractive)
    throw new UsageError(
      `The ${what} is asked for on a terminal only. Do not redirect the output, or pipe the ${what}.`,
    );
  const secret = await askHidden(terminal, kind === 'email' ? 'Password' : 'Client secret', signal);
  if (secret === '') throw new UsageError(`The ${what} is empty. Type it, or pipe it to stdin.`);
  return secret;
}

/** Shows the address of the page and a code, and waits until the user has decided there. */
async function logInByDevice({ terminal, signal }: CommandContext, hosts: TenantHosts): Promise<Credentials> {
  const codes = await beginDeviceLogin(hosts, signal);
  const page = visibleLine(requireWebAddress(codes.verification_uri));
  const minutes = Math.max(1, Math.floor(codes.expires_in / 60));
  await terminal.stderr.write(
    `Open ${page} in any browser and enter the code ${visibleLine(codes.user_code)}.\nThe code is valid for ${minutes} minutes. This command waits until the login is allowed there.\n`,
  );
  return await awaitDeviceLogin(hosts, codes, signal);
}

/** Logs in in the browser of this computer, or of another one if there is none here. */
async function logInHereOrElsewhere(context: CommandContext, hosts: TenantHosts): Promise<Credentials> {
  const { terminal, environment, signal } = context;
  const open = async (url: string): Promise<boolean> => {
    const isOpened = await openBrowser(environment, url);
    await terminal.stderr.write(
      isOpened
        ? `The browser opens the page of the login. If it does not, open it yourself:\n${visibleLine(url)}\n`
        : 'There is no browser here, so use that of another device.\n',
    );
    return isOpened;
  };
  return (await logInByBrowser(hosts, { signal, open })) ?? (await logInByDevice(context, hosts));
}

/** Opens the session of an account. */
export async function openAccount(context: CommandContext, hosts: TenantHosts, account: Account): Promise<Credentials> {
  if (!('name' in account)) {
    return await (account.kind === 'browser' ? logInHereOrElsewhere : logInByDevice)(context, hosts);
  }
  const { kind, name } = account;
  const secret = await readSecret(context, account);
  const { signal } = context;
  return await (kind === 'email'
    ? openSession(hosts, { email: name, password: secret }, signal)
    : openClientSession(hosts, { clientId: name, clientSecret: secret }, signal));
}
