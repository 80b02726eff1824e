import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createConfigurationViolations } from './configuration-violations.ts';

describe('configuration mistakes', () => {
  it('throw nothing if there are none', async () => {
    const violations = createConfigurationViolations();
    expect(await violations.collect('roles[0]', async () => 'result')).toBe('result');
    expect(() => violations.throwIfAny()).not.toThrow();
  });

  it('are reported together, with paths in the body', async () => {
    const violations = createConfigurationViolations();
    violations.add('users[0].roles[1]', 'there is no role x');
    const details = [{ path: 'body.sql', message: 'is not SQL' }];
    const invalid = new ProblemError('invalid_request', 'Not valid.', { details });
    expect(await violations.collect('datamaps[2]', () => Promise.reject(invalid))).toBeUndefined();
    const hidden = new ProblemError('not_found', 'There is no such datamap.');
    expect(await violations.collect('datamaps[3]', () => Promise.reject(hidden))).toBeUndefined();
    expect(() => violations.throwIfAny()).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [
          { path: 'body.users[0].roles[1]', message: 'there is no role x' },
          { path: 'body.datamaps[2].sql', message: 'is not SQL' },
          { path: 'body.datamaps[3]', message: 'There is no such datamap.' },
        ],
      }),
    );
  });

  it.each([
    new ProblemError('conflict', 'Try again.'),
    new ProblemError('service_unavailable', 'Down.'),
    new Error('bug'),
  ])('do not swallow %s', async (thrown) => {
    await expect(createConfigurationViolations().collect('roles[0]', () => Promise.reject(thrown))).rejects.toBe(
      thrown,
    );
  });

  it('list at most a thousand paths', () => {
    const violations = createConfigurationViolations();
    for (let index = 0; index < 1500; index += 1) violations.add(`roles[${index}]`, 'is wrong');
    try {
      violations.throwIfAny();
    } catch (thrown) {
      expect((thrown as ProblemError).details).toHaveLength(1000);
    }
    expect.assertions(1);
  });
});
