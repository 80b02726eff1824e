import { randomUUID } from 'node:crypto';
import { type Admin, adminOf } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { approve, createPkce, type ObtainedCode, redeem, requestOf, signIn } from './oauth-requests.ts';

/** Nothing listens there: the tests read the address of the redirect. */
export const WEB_REDIRECT_URI = 'https://portal.example.com/callback';

export interface RegisteredProgram {
  readonly id: string;
  readonly clientId: string;
  /** Null for a public program. */
  readonly secret: string | null;
  readonly redirectUri: string;
}

type Register = (changes?: Readonly<Record<string, unknown>>) => Promise<RegisteredProgram>;

/** Programs of acme, and an admin who registers them. */
export interface ProgramRegistry {
  readonly admin: Admin;
  /** Registers a program: by default a confidential one. */
  readonly register: Register;
}

export async function programRegistry(test: TestHost): Promise<ProgramRegistry> {
  const admin = await adminOf(test, test.acme);
  return {
    admin,
    async register(changes = {}) {
      const wanted = {
        client_id: `app-${randomUUID().slice(0, 8)}`,
        name: 'Portal',
        type: 'confidential',
        redirect_uris: [WEB_REDIRECT_URI],
        ...changes,
      };
      const { status, text, body } = await admin.ask({ method: 'POST', path: '/oauth-clients', body: wanted });
      if (status !== 201) throw new Error(`the registration returned ${status}: ${text}`);
      const [redirectUri = ''] = wanted.redirect_uris;
      return { id: body.id, clientId: wanted.client_id, secret: body.client_secret, redirectUri };
    },
  };
}

/** Parameters of a request of a program. */
export const requestOfProgram = (
  { clientId, redirectUri }: RegisteredProgram,
  challenge: string,
  changes: Readonly<Record<string, string | undefined>> = {},
) => requestOf(challenge, { client_id: clientId, redirect_uri: redirectUri, ...changes });

type Fields = Readonly<Record<string, string | undefined>>;

/** Lets ann consent to the login of a program, and returns its code. */
export async function obtainProgramCode(
  test: Pick<TestHost, 'url'>,
  program: RegisteredProgram,
  changes: Fields = {},
): Promise<ObtainedCode> {
  const jar = await signIn(test);
  const pkce = createPkce();
  const parameters = requestOfProgram(program, pkce.challenge, { prompt: 'consent', ...changes });
  const location = await approve(test, parameters, { jar });
  return { ...pkce, jar, code: location.searchParams.get('code') ?? '' };
}

/** Fields by which a program identifies itself. */
export const identityOf = ({ clientId, secret }: RegisteredProgram): Record<string, string> => ({
  client_id: clientId,
  ...(secret === null ? {} : { client_secret: secret }),
});

/** Redeems a code of a program. */
export const redeemAs = (
  test: Pick<TestHost, 'url'>,
  program: RegisteredProgram,
  obtained: Pick<ObtainedCode, 'code' | 'verifier'>,
  changes: Fields = {},
) => redeem(test, obtained, { ...identityOf(program), redirect_uri: program.redirectUri, ...changes });

/** Logs a program of ann in, and returns the response of the token endpoint. */
export const logInProgram = async (test: Pick<TestHost, 'url'>, program: RegisteredProgram, changes: Fields = {}) =>
  await redeemAs(test, program, await obtainProgramCode(test, program, changes));
