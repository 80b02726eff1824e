import { describe, expect, it } from '@jest/globals';
import { type CredentialKind, type Principal, ProblemError } from '@sluice/contract';
import { createStrategies } from './strategies.ts';

const KINDS: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];

describe('createStrategies', () => {
  it.each(KINDS)('settles %s with the result of the verification', async (kind) => {
    const strategies = createStrategies();
    const principal = { id: 'ann' } as Principal;
    expect(await strategies.run(kind, async () => principal)).toBe(principal);
    const problem = new ProblemError('unauthorized', 'wrong');
    await expect(strategies.run(kind, () => Promise.reject(problem))).rejects.toBe(problem);
  });
});
