import { ProblemError } from '@sluice/contract';

/** `check_violation`: the server's lower-case form of a string differs from ours. */
const CHECK_VIOLATION = '23514';

/** Converts the database's rejection of an account to `invalid_request`. Returns any other error unchanged. */
export const accountProblem = (thrown: unknown): unknown => {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  if (code !== CHECK_VIOLATION) return thrown;
  return new ProblemError('invalid_request', 'The e-mail contains a character that cannot be stored.', {
    cause: thrown,
  });
};
