import { expect, it } from '@jest/globals';
import { unavailable } from './unavailable.ts';

it('an error of Redis keeps its message, and never the arguments of its command', () => {
  const thrown = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['password of redis'] } });
  const problem = unavailable(thrown);
  expect(problem).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
  expect(problem.cause).toEqual(new Error('WRONGPASS'));
  expect(JSON.stringify([problem, problem.cause, Object.entries(problem.cause as Error)])).not.toContain('password');
});

it('what is not an error becomes the message of the cause', () => {
  expect(unavailable('gone', 'Try later.')).toMatchObject({ message: 'Try later.', cause: new Error('gone') });
});
