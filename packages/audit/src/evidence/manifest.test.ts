import { describe, expect, it } from '@jest/globals';
import { signer, TENANT } from '../../testing/sealed-log.ts';
import { manifestText, readManifest } from './manifest.ts';

const content = {
  tenant: 'acme',
  tenant_id: TENANT,
  start: 1,
  end: 3,
  visible_from: 0,
  records: 0,
  first: null,
  last: null,
  issued_ts: 4,
};
const members = [{ name: 'audit.ndjson', bytes: 7, sha256: 'ab' }];

describe('the manifest of an evidence package', () => {
  it('round-trips with the members and the id of the key', () => {
    const text = manifestText(content, members, signer);
    expect(readManifest(text)).toEqual({ kind: 'evidence', v: 1, ...content, key_id: signer.keyId, members });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each([
    ['another kind', { kind: 'export', v: 1, members }],
    ['a later version', { kind: 'evidence', v: 2, members }],
    ['no members', { kind: 'evidence', v: 1 }],
  ])('is not read with %s', (_what, manifest) => {
    expect(readManifest(JSON.stringify(manifest))).toBeUndefined();
  });
});
