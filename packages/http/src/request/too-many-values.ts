import { ProblemError } from '@sluice/contract';

export function tooManyValues(valuesMax: number): ProblemError {
  const message = `must not hold more than ${valuesMax} values`;
  return new ProblemError('invalid_request', `The request is not valid: body: ${message}.`, {
    details: [{ path: 'body', message }],
  });
}
