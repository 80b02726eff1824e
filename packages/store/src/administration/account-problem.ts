import { ProblemError } from '@sluice/contract';
import { isViolation } from '../database/store-problem.ts';

/**
 * Converts the database's rejection of an account to `invalid_request`: the server's lower-case form of a string differs from ours.
 * Returns any other error unchanged.
 */
export const accountProblem = (thrown: unknown): unknown =>
  isViolation(thrown, 'check')
    ? new ProblemError('invalid_request', 'The e-mail contains a character that cannot be stored.', { cause: thrown })
    : thrown;
