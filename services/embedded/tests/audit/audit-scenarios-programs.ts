import { createHash, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { postForm } from '@sluice/testkit/requests';
import { anonymous, type ScenarioRunner, type Scenarios, sessionOf } from './scenario-runner.ts';

const CLIENT = 'sluice-cli';
const REDIRECT_URI = 'http://127.0.0.1:47115/callback';
const SCOPE = 'query:run';

/** Lets ann consent in a browser, and returns the form that redeems the code. */
async function approvedCode({ hosts }: ScenarioRunner): Promise<Readonly<Record<string, string>>> {
  const { url } = hosts.api;
  const { id, email, password } = hosts.ann;
  const signedIn = await postForm(`${url}/auth/sign-in/acme`, { email, password }, { origin: url });
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const verifier = randomBytes(32).toString('base64url');
  const consent = {
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: SCOPE,
    account: id,
    decision: 'approve',
  };
  const decided = await postForm(`${url}/auth/acme/oauth2/consent`, consent, { origin: url, cookie });
  const code = new URL(decided.headers.location ?? '').searchParams.get('code') ?? '';
  return {
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
  };
}

/** Logs a program of ann in, and returns the form that it sent. */
async function logInProgram(runner: ScenarioRunner): Promise<Readonly<Record<string, string>>> {
  const form = await approvedCode(runner);
  const { email } = runner.hosts.ann;
  await runner.act({
    action: 'LOGIN',
    by: anonymous(email),
    path: '/auth/acme/oauth2/token',
    form,
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.access_token),
      metadata: { method: 'authorization_code', client: CLIENT, scope: [SCOPE], approved_in: expect.any(String) },
    }),
  });
  return form;
}

/** Steps of the scenario of another action. */
export const ofProgram = { logIn: logInProgram };

export const programScenarios: Scenarios = {
  async AUTHORIZATION_CODE_REUSED(runner) {
    const form = await logInProgram(runner);
    const { email } = runner.hosts.ann;
    await runner.act({
      action: 'AUTHORIZATION_CODE_REUSED',
      by: anonymous(email),
      path: '/auth/acme/oauth2/token',
      form,
      status: 400,
      record: () => ({ target: email, metadata: { client: CLIENT } }),
    });
  },
};
