import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SEAL_VERSIONS } from '@sluice/contract';
import fc from 'fast-check';
import { recordWith } from '../testing/sealed-log.ts';
import { chainHash, genesisHash, sealedText } from './sealed-record.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const record = recordWith({
  tenantId: TENANT,
  id: '9b2f7f6e-5ad5-4f0e-8a25-3a3d6d2f1c11',
  occurredUs: '1700000000000001',
  user: 'ann@example.com',
  action: 'LOGIN',
  target: 'ann@example.com',
  requestId: 'request',
  address: '127.0.0.1',
  userAgent: 'a "quoted" agent',
  metadata: '{"b": 9007199254740993, "a": 1.10}',
});

const MEMBERS =
  '"action":"LOGIN","address":"127.0.0.1","id":"9b2f7f6e-5ad5-4f0e-8a25-3a3d6d2f1c11",' +
  '"metadata":{"a":1.10,"b":9007199254740993},"occurred_us":1700000000000001,"query_id":null,"record_id":null,' +
  '"request_id":"request","sequence":7,"session_id":null,"target":"ann@example.com",' +
  `"tenant_id":"${TENANT}","user":"ann@example.com","user_agent":"a \\"quoted\\" agent"`;

describe('sealedText', () => {
  it('never changes for the versions that have been released', () => {
    expect(sealedText(record, 7, 0)).toBe(`{${MEMBERS}}`);
    expect(sealedText(record, 7, 1)).toBe(`{${MEMBERS},"v":1}`);
  });

  it('differs between versions, so that a record cannot be moved to another one', () => {
    const texts = SEAL_VERSIONS.map((version) => sealedText(record, 7, version));
    expect(new Set(texts).size).toBe(SEAL_VERSIONS.length);
  });

  it('is the same for any white space in the metadata', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(4), (metadata, spaces) => {
        const written = recordWith({ ...record, metadata: JSON.stringify(metadata, null, spaces) });
        const compact = recordWith({ ...record, metadata: JSON.stringify(metadata) });
        expect(sealedText(written, 1, 1)).toBe(sealedText(compact, 1, 1));
      }),
    );
  });

  it('throws SyntaxError for metadata that is not JSON', () => {
    expect(() => sealedText(recordWith({ ...record, metadata: '{' }), 1, 1)).toThrow(SyntaxError);
  });
});

describe('chainHash', () => {
  it('is the SHA-256 of the previous hash and the text, and starts from the tenant', () => {
    const genesis = createHash('sha256').update(`sluice audit chain\n${TENANT}`).digest();
    expect(genesisHash(TENANT)).toEqual(genesis);
    const expected = createHash('sha256')
      .update(Buffer.concat([genesis, Buffer.from('text')]))
      .digest();
    expect(chainHash(genesis, 'text')).toEqual(expected);
  });
});
