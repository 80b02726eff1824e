import { describe, expect, it } from '@jest/globals';
import { invalidRequest, ProblemError, signInProblem } from '@sluice/contract';
import { createRecordRefusal, RECORDED_ALREADY, refusalReason } from './record-refusal.ts';

const SECRET = 'a secret in the wrong field';

describe('refusalReason', () => {
  it.each([
    ['the reason of a refusal', new ProblemError('invalid_grant', 'The code is unknown.'), 'The code is unknown.'],
    [
      'a known parameter',
      invalidRequest({ path: 'body.client_id', message: 'must be given only once' }),
      'The request is not valid: body.client_id: must be given only once.',
    ],
    [
      'a value of a list',
      invalidRequest({ path: 'query.resource.1', message: 'is too long' }),
      'The request is not valid: query.resource.1: is too long.',
    ],
    ['the whole body', invalidRequest({ path: 'body', message: 'is too long' }), expect.stringContaining('body')],
    ['no name that was sent', invalidRequest({ path: `body.${SECRET}`, message: 'x' }), 'The request is not valid.'],
    [
      'no name behind a known one',
      invalidRequest([
        { path: 'body.code', message: 'x' },
        { path: `body.client_id.${SECRET}`, message: 'x' },
      ]),
      'The request is not valid.',
    ],
    [
      'no client id that was sent',
      signInProblem('invalid_request', 'program_unknown', { values: { client: SECRET } }),
      'There is no program with this client_id.',
    ],
  ])('has %s', (_what, problem, reason) => {
    expect(refusalReason(problem)).toEqual(reason);
    expect(refusalReason(problem)).not.toContain(SECRET);
  });

  it.each([
    ['a device that waits', new ProblemError('authorization_pending', 'x')],
    ['a throttled request', new ProblemError('too_many_requests', 'x')],
    ['an outage', new ProblemError('service_unavailable', 'x')],
    ['what another record names', new ProblemError('invalid_grant', 'x', { cause: RECORDED_ALREADY })],
    ['what prompt=none asked for', signInProblem('invalid_request', 'login_needed')],
    ['a bug', new Error('x')],
  ])('is undefined for %s', (_what, thrown) => {
    expect(refusalReason(thrown)).toBeUndefined();
  });
});

it('names a program only if there is one', async () => {
  const targets: unknown[] = [];
  const record = createRecordRefusal({
    records: { append: async (_caller, { target }) => void targets.push(target) },
    findProgram: async (_caller, id) =>
      id === 'app' ? { id, kind: 'registered', name: 'App', redirectUris: [], scopes: undefined } : undefined,
    onRefused: () => undefined,
  });
  const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
  const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
  for (const clientId of ['app', SECRET, undefined]) await record(caller, { method: 'token', clientId, reason: 'x' });
  await record(caller, { method: 'token', clientId: 'app', reason: undefined });
  expect(targets).toEqual(['app', 'unknown', 'unknown']);
});
