import { describe, expect, it } from '@jest/globals';
import type { Permission, Principal } from '@sluice/contract';
import type { StoredItem } from '@sluice/store/marketplace';
import { granteeOf, presentItem, requireManager, whyNotDownload } from './item-rules.ts';

const ITEM: StoredItem = {
  id: 'sales',
  title: 'Sales',
  description: null,
  tags: ['eu'],
  domains: ['finance'],
  domainNames: ['Finance'],
  license: null,
  termsOfUse: null,
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  version: 3,
  queries: [{ name: 'by_day', datamapId: 'd1', isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] }],
  rating: null,
  downloads: 2,
  lastDownloadedTs: null,
  lastComplete: null,
  accessExpiresTs: null,
  isGranted: false,
  createdTs: 1,
  updatedTs: 2,
  updatedBy: 'bob@example.com',
};

const principalOf = (
  id: string,
  permissions: readonly Permission[] = [],
  kind: 'user' | 'client' = 'user',
): Principal => ({
  tenant: { id: 't1', name: 'acme', state: 'active', settings: {} },
  kind,
  id,
  name: `${id}@example.com`,
  roles: ['analyst'],
  permissions: new Set(permissions),
  authenticatedAtMs: 0,
});

describe('requireManager', () => {
  it('accepts the owner and admins', () => {
    expect(() => requireManager(ITEM, principalOf('ann'))).not.toThrow();
    expect(() => requireManager(ITEM, principalOf('bob', ['admin']))).not.toThrow();
  });

  it.each([
    ['another user', principalOf('bob', ['datamap:write'])],
    ['a client with the id of the owner', principalOf('ann', [], 'client')],
  ])('rejects %s', (_name, principal) => {
    expect(() => requireManager(ITEM, principal)).toThrow('Only the owner of this item and admins may do this.');
  });
});

describe('whyNotDownload', () => {
  it('returns undefined for the owner and for a caller with a grant', () => {
    expect(whyNotDownload(ITEM, principalOf('ann'))).toBeUndefined();
    expect(whyNotDownload({ ...ITEM, isGranted: true }, principalOf('bob'))).toBeUndefined();
  });

  it('returns access_denied for a caller without a grant, admins included', () => {
    for (const principal of [principalOf('bob'), principalOf('bob', ['admin'])]) {
      expect(whyNotDownload(ITEM, principal)).toMatchObject({
        code: 'access_denied',
        message: expect.stringContaining('POST /marketplace/sales/access-requests'),
      });
    }
  });

  it.each([
    ['unpublished', { isPublished: false }],
    ['deleted', { sql: null }],
  ])('returns conflict for an item with an %s datamap', (_name, change) => {
    const [query] = ITEM.queries;
    const item = { ...ITEM, queries: query === undefined ? [] : [query, { ...query, name: 'by_week', ...change }] };
    expect(whyNotDownload(item, principalOf('ann'))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('query by_week is no longer published'),
    });
  });
});

describe('presentItem', () => {
  it('presents an item without SQL and account ids', () => {
    const presented = presentItem(ITEM, principalOf('bob'));
    expect(presented).toMatchObject({ id: 'sales', owner: 'ann@example.com', download_count: 2, is_granted: false });
    expect(presented.queries).toEqual([
      { name: 'by_day', datamap_id: 'd1', is_published: true, columns: [], parameters: [] },
    ]);
    expect(JSON.stringify(presented)).not.toContain('SELECT');
  });

  it('counts the owner as granted', () => {
    expect(presentItem(ITEM, principalOf('ann')).is_granted).toBe(true);
  });
});

describe('granteeOf', () => {
  it('returns kind, name and roles of the caller', () => {
    expect(granteeOf(principalOf('ann'))).toEqual({ kind: 'user', name: 'ann@example.com', roles: ['analyst'] });
  });
});
