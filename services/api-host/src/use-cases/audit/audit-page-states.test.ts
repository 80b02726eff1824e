import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createValueSeal } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { createInProcessState, type ExpiringValues } from '@sluice/shared-state';
import { createAuditPageStates, type PageState } from './audit-page-states.ts';

const seal = createValueSeal({ current: Buffer.alloc(32, 1) });
const owner = { tenantId: randomUUID(), accountId: randomUUID() };
const state: PageState = {
  ...owner,
  filter: { start: 0, user: 'ann@example.com', userDigest: 'digest' },
  asked: { size: 10 },
  order: 'desc',
  size: 10,
  snapshot: '10:20:11,12',
  total: 30,
  page: 2,
  from: { occurred: '1700000000000000', id: randomUUID() },
};

const outage = (): Promise<never> =>
  Promise.reject(new ProblemError('service_unavailable', 'The shared state is unavailable.'));
const unavailable: ExpiringValues = { ...createInProcessState().values, put: outage, get: outage };

/** States of one host, with a clock that a test can move. */
const fixture = ({ values = createInProcessState().values, hosts = 1 } = {}) => {
  const clock = { ms: 1_700_000_000_000 };
  const states = createAuditPageStates({
    values,
    ownValues: createInProcessState().values,
    seal,
    countLiveHosts: async () => hosts,
    now: () => clock.ms,
  });
  return { states, clock, values };
};

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (thrown) => thrown.code,
  );

describe('a page token', () => {
  it('returns the state to its owner on any host with the same shared state', async () => {
    const { states, values } = fixture();
    const token = await states.put(state);
    expect(await states.get(owner, token)).toEqual(state);
    expect(await fixture({ values }).states.get(owner, token)).toEqual(state);
  });

  it('is invalid for another account or tenant, and when it is malformed or unknown', async () => {
    const { states } = fixture();
    const token = await states.put(state);
    expect(await codeOf(states.get({ ...owner, accountId: randomUUID() }, token))).toBe('invalid_page_token');
    expect(await codeOf(states.get({ ...owner, tenantId: randomUUID() }, token))).toBe('invalid_page_token');
    expect(await codeOf(states.get(owner, `${token}a`))).toBe('invalid_page_token');
    expect(
      await codeOf(
        states.get(
          owner,
          token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
        ),
      ),
    ).toBe('invalid_page_token');
  });

  it('is invalid after 120 seconds', async () => {
    const { states, clock } = fixture();
    const token = await states.put(state);
    clock.ms += 120_000;
    expect(await states.get(owner, token)).toEqual(state);
    clock.ms += 1;
    expect(await codeOf(states.get(owner, token))).toBe('invalid_page_token');
  });
});

describe('without shared state', () => {
  it('the only live host keeps the state itself', async () => {
    const { states } = fixture({ values: unavailable });
    expect(await states.get(owner, await states.put(state))).toEqual(state);
  });

  it('a host among others issues no token, and cannot check one', async () => {
    const { states } = fixture({ values: unavailable, hosts: 2 });
    expect(await codeOf(states.put(state))).toBe('service_unavailable');
    expect(await codeOf(states.get(owner, 'A'.repeat(43)))).toBe('service_unavailable');
  });
});
