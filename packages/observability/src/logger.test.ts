import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createLogger, type Logger } from './index.ts';

const CANARY = 'c4n4ry-value-nobody-may-see';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

function capture(write: (log: Logger) => void): { readonly text: string; readonly line: Record<string, unknown> } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger({ service: 'stream-host', level: 'debug', destination }));
  const text = lines.join('');
  return { text, line: JSON.parse(lines[0] ?? '{}') };
}

const SECRET_FIELDS = [
  'idtoken',
  'idToken',
  'id_token',
  'access_token',
  'accessToken',
  'refresh_token',
  'client_secret',
  'password',
  'authorization',
  'Authorization',
  'cookie',
  'set-cookie',
  'page_token',
  'code',
  'state',
  'token',
  'secret',
];

describe('createLogger', () => {
  it('writes one JSON line with level, time, service and the bound request id', () => {
    const { line } = capture((log) => log.child({ requestId: 'r-1' }).info({ rows: 3 }, 'done'));
    expect(line).toMatchObject({ level: 'info', service: 'stream-host', requestId: 'r-1', rows: 3, msg: 'done' });
    expect(Date.parse(String(line['time']))).not.toBeNaN();
  });

  it.each(SECRET_FIELDS)('never writes the value of %s, at any depth', (name) => {
    const secret = { [name]: CANARY };
    const nested = { body: { items: [{ headers: secret }] }, map: new Map([[name, CANARY]]), list: [[secret]] };
    const { text } = capture((log) => {
      log.info(secret, 'flat');
      log.info({ request: { headers: secret } }, 'in headers');
      log.info({ nested }, 'deep');
      log.child(secret).info('bound');
      log.error({ err: Object.assign(new Error('failed'), { config: { headers: secret } }) }, 'on an error');
      log.error(
        { err: new Error('outer', { cause: Object.assign(new Error('inner'), { body: secret }) }) },
        'in a cause',
      );
    });
    expect(text).not.toContain(CANARY);
    expect(text).toContain('[redacted]');
  });

  it('redacts secrets in query strings of fields, messages and stacks', () => {
    const address = `/auth/callback/acme?code=${CANARY}&x=1&state=${CANARY}`;
    const { text } = capture((log) => {
      log.info({ url: address }, `GET ${address}`);
      log.info(`GET https://api.example.com/audits/logs/search?page_token=${CANARY}#top`);
      log.error(new Error(`cannot fetch ${address}`));
    });
    expect(text).not.toContain(CANARY);
    expect(text).toContain('x=1');
  });

  it('redacts credentials in text', () => {
    const { text } = capture((log) => {
      log.info(`Authorization: Bearer ${CANARY}`);
      log.info({ note: `sent Basic ${Buffer.from(CANARY).toString('base64')}` });
      log.info(`token ${JWT} refused`);
      log.info({ rawHeaders: ['idtoken', CANARY] });
    });
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(Buffer.from(CANARY).toString('base64'));
    expect(text).not.toContain('c2lnbmF0dXJl');
  });

  it('keeps type, code, message, stack and causes of an error', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { line } = capture((log) =>
      log.error({ err: new ProblemError('service_unavailable', 'The store is down.', { cause }) }, 'failed'),
    );
    expect(line['err']).toMatchObject({
      type: 'ProblemError',
      code: 'service_unavailable',
      message: 'The store is down.',
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
    });
    expect(String((line['err'] as { stack: string }).stack)).toContain('logger.test');
  });

  it('writes valid JSON on one line for any string', () => {
    const { text, line } = capture((log) => log.info({ user: 'a\n{"level":"error"}\u001b[31m' }, 'x\r\ny ?code="z'));
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(line['user']).toBe('a\n{"level":"error"}\u001b[31m');
  });

  it('survives cycles', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(capture((log) => log.info({ cycle }, 'round')).text).toContain('round');
  });
});
