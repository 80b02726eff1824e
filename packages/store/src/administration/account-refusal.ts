import { ProblemError } from '@sluice/contract';

/** `check_violation`: a text that the server spells otherwise in lower case than we do. */
const CHECK_VIOLATION = '23514';

/** What a caller is told of an account that the database refuses; anything else stays what it is. */
export const accountRefusal = (thrown: unknown): unknown => {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  if (code !== CHECK_VIOLATION) return thrown;
  return new ProblemError('invalid_request', 'The e-mail holds a character that cannot be stored.', { cause: thrown });
};
