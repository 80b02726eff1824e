import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import type { Configuration } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createInMemoryAdministration } from '../../../../tests/administration/in-memory-administration.ts';
import { applyIdentityProvider } from './apply-identity-provider.ts';
import { createConfigurationViolations } from './configuration-violations.ts';

const caller = buildCaller('me', ['admin']);
const PROVIDER = { issuer: 'https://idp.example.com', client_id: 'sluice', client_secret: null };

function fixture() {
  const { rows, open } = createInMemoryAdministration();
  const violations = createConfigurationViolations();
  const box = createSecretBox({ current: new Uint8Array(32) });
  const apply = (identity_provider?: object) =>
    applyIdentityProvider({ tx: open(caller), box, violations }, { identity_provider } as Configuration);
  return { rows, violations, apply };
}

describe('the identity provider of a file', () => {
  it('is created, then the same, then updated; only changes are recorded', async () => {
    const { rows, apply } = fixture();
    const changes = [
      ...(await apply(PROVIDER)),
      ...(await apply(PROVIDER)),
      ...(await apply({ ...PROVIDER, client_id: 'other' })),
    ];
    expect(changes.map(({ action, name }) => [action, name])).toEqual(
      ['create', 'none', 'update'].map((action) => [action, PROVIDER.issuer]),
    );
    expect([changes[0]?.before, changes[2]?.before]).toMatchObject([null, { client_id: 'sluice' }]);
    expect(rows.records.length).toBe(2);
  });

  it('with a role that does not exist is a mistake of the file', async () => {
    const { rows, violations, apply } = fixture();
    expect(await apply({ ...PROVIDER, role_mappings: [{ value: 'a', roles: ['missing'] }] })).toEqual([]);
    expect(() => violations.throwIfAny()).toThrow(
      'The request is not valid: body.identity_provider.role_mappings[0].roles[0]: there is no role missing.',
    );
    expect(rows.provider).toBeUndefined();
  });

  it('may be missing', async () => {
    expect(await fixture().apply()).toEqual([]);
  });
});
