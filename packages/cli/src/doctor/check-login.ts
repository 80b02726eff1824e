import type { Client } from '@sluice/client';
import { formatFutureTime } from '../times/format-time.ts';
import { type CheckResult, messageOf } from './check.ts';

type Me = Awaited<ReturnType<Client['api']['getMe']>>;

const STATEMENTS = 'query:run';

/** Result of the login, and the account if both hosts accept it. */
export interface LoginCheck {
  readonly result: CheckResult;
  readonly me: Me | undefined;
}

/** Asks both hosts who the caller is. */
export async function checkLogin(client: Client, signal: AbortSignal): Promise<LoginCheck> {
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
export function checkPermissions({ permissions, roles }: Me): CheckResult {
  const name = 'Permissions';
  const roleText = roles.length === 0 ? 'no roles' : roles.join(', ');
  if (permissions.length === 0)
    return { name, status: 'failed', message: `${roleText}: the account may do nothing. Ask an admin for a role` };
  const listed = `${roleText}: ${permissions.join(', ')}`;
  if (permissions.includes(STATEMENTS)) return { name, status: 'ok', message: listed };
  return { name, status: 'warning', message: `${listed}. To run statements, ask an admin for ${STATEMENTS}` };
}

/** Returns whether the account may run the statement of the check of streaming. */
export const mayRunStatements = (me: Me | undefined): boolean => me?.permissions.includes(STATEMENTS) ?? false;
