import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { type RouteResponse, redirect } from '@sluice/http';
import { withErrorPage } from './with-error-page.ts';

const requestOf = (accept: string) => ({
  tenant: { id: '1', name: 'acme', state: 'active', settings: {} } as const,
  headers: { get: (name: string) => (name === 'accept' ? accept : undefined) },
});
const browser = requestOf('text/html,*/*');

const textOf = (response: RouteResponse): string =>
  response.kind === 'body' ? new TextDecoder().decode(response.body) : '';

describe('withErrorPage', () => {
  it('returns the response of the handler', async () => {
    const response = redirect(302, '/there');
    expect(await withErrorPage(browser, async () => response)).toBe(response);
  });

  it('shows a problem as a page, escaped and without a referrer', async () => {
    const problem = new ProblemError('too_many_requests', 'Wait <b>.', { retryAfterSeconds: 3 });
    const response = await withErrorPage(browser, () => Promise.reject(problem));
    expect(response.status).toBe(429);
    expect(response.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'retry-after': '3' });
    expect(textOf(response)).toContain('Wait &lt;b&gt;.');
  });

  it('leaves problems to the kernel for a client that does not accept HTML', async () => {
    const problem = new ProblemError('access_denied', 'No.');
    await expect(withErrorPage(requestOf('application/json'), () => Promise.reject(problem))).rejects.toBe(problem);
  });

  it('leaves internal errors to the kernel', async () => {
    const thrown = new Error('bug');
    await expect(withErrorPage(browser, () => Promise.reject(thrown))).rejects.toBe(thrown);
  });
});
