import { describe, expect, it } from '@jest/globals';
import { checkServer } from './server-check.ts';

const info = (body: unknown, contentType = 'application/json') => ({
  status: 200,
  headers: { 'content-type': contentType },
  body: Buffer.from(JSON.stringify(body)),
});

describe('checkServer', () => {
  it.each(['418', '476', '476-SNAPSHOT', 'dev'])('accepts version %s', (version) => {
    expect(() => checkServer(info({ nodeVersion: { version }, starting: false }))).not.toThrow();
  });

  it.each<readonly [unknown, string]>([
    [{ nodeVersion: { version: '417' } }, 'too old'],
    [{ nodeVersion: { version: '476' }, starting: true }, 'is starting'],
    [{ nodeVersion: {} }, 'has no version'],
    [{ nodeVersion: { version: 476 } }, 'has no version'],
    [null, 'has no version'],
    ['476', 'has no version'],
  ])('rejects %j', (body, message) => {
    expect(() => checkServer(info(body))).toThrow(
      expect.objectContaining({ code: 'engine_unavailable', message: expect.stringContaining(message) }),
    );
  });

  it('rejects a response that is not JSON', () => {
    expect(() => checkServer(info({}, 'text/html'))).toThrow('is not Trino');
  });
});
