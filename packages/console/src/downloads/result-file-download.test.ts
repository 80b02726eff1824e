import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sha256In } from './result-file-download.ts';

describe('sha256In', () => {
  const hash = createHash('sha256').update('a file').digest();

  it('returns the hash of the field as hex', () => {
    const field = `sha-256=:${hash.toString('base64')}:`;
    expect(sha256In(field)).toBe(hash.toString('hex'));
    expect(sha256In(`sha-512=:AAAA:, ${field}`)).toBe(hash.toString('hex'));
  });

  it.each([null, '', 'sha-512=:AAAA:', 'sha-256=AAAA'])('returns nothing of %j', (field) => {
    expect(sha256In(field)).toBeUndefined();
  });
});
