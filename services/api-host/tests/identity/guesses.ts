import { randomUUID } from 'node:crypto';
import type { ReceivedResponse } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postJson } from '@sluice/testkit/requests';

/** Source of logins: distinct loopback addresses, or addresses reported by a trusted proxy. */
export type From = { readonly localAddress: string } | { readonly forwardedFor: string };

interface PasswordLogin {
  readonly email: string;
  readonly password?: string;
  readonly from: From;
  readonly cookie?: string | undefined;
}

/** POST /auth/login/acme, by default with the right password. */
export const logInFrom = (test: TestHost, login: PasswordLogin): Promise<ReceivedResponse> => {
  const { email, password = passwordOf('acme'), from, cookie } = login;
  const headers = {
    ...('forwardedFor' in from ? { 'x-forwarded-for': from.forwardedFor } : {}),
    ...(cookie === undefined ? {} : { cookie }),
  };
  const localAddress = 'localAddress' in from ? from.localAddress : undefined;
  return postJson(`${test.url}/auth/login/acme`, { email, password }, headers, localAddress);
};

/** An account of acme with ann's password, for tests that must not share her throttle state. */
export async function createOwner(test: TestHost): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await test.rows(
    `insert into users (tenant_id, id, email, password_hash, roles)
      select tenant_id, gen_random_uuid(), $1, password_hash, roles from users where id = $2`,
    [email, test.acme.userId],
  );
  return email;
}

let addresses = 0;
/** An address of this machine that no other test of the file uses. */
export const newAddress = (): string => {
  addresses += 1;
  return `127.1.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

/** `name=value` of a cookie in a response. */
export const cookieOf = ({ headers }: ReceivedResponse, name: string): string =>
  headers['set-cookie']?.find((line) => line.startsWith(`${name}=`))?.split(';')[0] ?? '';

export const countOf = (answers: readonly { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
