import { invalidRequest, type ProblemError } from '@sluice/contract';

export const tooManyValues = (valuesMax: number): ProblemError =>
  invalidRequest({ path: 'body', message: `must not hold more than ${valuesMax} values` });

export const tooManyMembers = (membersMax: number): ProblemError =>
  invalidRequest({ path: 'body', message: `must not hold more than ${membersMax} members of objects` });
