import { expect } from '@jest/globals';
import { authorizeProgram } from '@sluice/testkit/requests';
import { anonymous, type ScenarioRunner, type Scenarios, sessionOf } from './scenario-runner.ts';

const PATH = '/auth/acme/oauth2/token';
const CLIENT = 'sluice-cli';
const SCOPE = 'query:run';

/** Logs a program of ann in, and returns the form that it sent. */
async function logInProgram({ act, hosts }: ScenarioRunner): Promise<Readonly<Record<string, string>>> {
  const { email } = hosts.ann;
  const form = await authorizeProgram(hosts.api.url, hosts.ann, SCOPE);
  await act({
    action: 'LOGIN',
    by: anonymous(email),
    path: PATH,
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
      path: PATH,
      form,
      status: 400,
      record: () => ({ target: email, metadata: { client: CLIENT } }),
    });
  },
};
