import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { askLine } from '../terminal/prompt.ts';

/** An account whose secret is typed or piped. */
export interface SecretAccount {
  readonly kind: 'email' | 'client';
  readonly name: string;
}

/** Account that logs in: the user of the browser here, or of another device, or an account without its secret. */
export type Account = SecretAccount | { readonly kind: 'browser' | 'device' };

interface AccountOptions {
  readonly browser: boolean;
  readonly device: boolean;
  readonly email: string | undefined;
  readonly clientId: string | undefined;
}

const HOW = 'with --browser, --device, --email EMAIL or --client-id ID';

/** Answers to the question how to log in. */
const CHOICES = ['browser', 'email', 'client'] as const;
const MENU = 'How do you want to log in?\n  1  in the browser\n  2  e-mail and password\n  3  client id and secret\n';

/** Returns the account of the options; undefined if none names one. @throws UsageError for more than one */
function accountOf({ browser, device, email, clientId }: AccountOptions): Account | undefined {
  const accounts: readonly Account[] = [
    ...(browser ? [{ kind: 'browser' } as const] : []),
    ...(device ? [{ kind: 'device' } as const] : []),
    ...(email === undefined ? [] : [{ kind: 'email', name: email } as const]),
    ...(clientId === undefined ? [] : [{ kind: 'client', name: clientId } as const]),
  ];
  if (accounts.length > 1) throw new UsageError(`Log in in one way: ${HOW}.`);
  return accounts[0];
}

/** Returns who logs in, by the options or by a question on a terminal. @throws UsageError without either */
export async function chooseAccount({ terminal, signal }: CommandContext, options: AccountOptions): Promise<Account> {
  const account = accountOf(options);
  if (account !== undefined) return account;
  if (!terminal.isInteractive)
    throw new UsageError(`Choose how to log in: ${HOW}. A password or secret is read from stdin.`);
  await terminal.stderr.write(MENU);
  const choice = await askLine(terminal, 'Choose 1, 2 or 3 (Enter: 1)', signal);
  const kind = CHOICES[Number(choice === '' ? '1' : choice) - 1];
  if (kind === undefined) throw new UsageError(`None of 1, 2 and 3 was chosen. Log in ${HOW}.`);
  if (kind === 'browser') return { kind };
  const name = await askLine(terminal, kind === 'email' ? 'E-mail' : 'Client id', signal);
  if (name === '') throw new UsageError(`Nothing was typed. Log in ${HOW}.`);
  return { kind, name };
}
