import { describe, expect, it } from '@jest/globals';
import type { DatamapState, Permission, Principal } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';
import { checkObject } from '../catalog/check-object.ts';
import { changeableDatamap, visibleDatamap } from './datamap-access.ts';

const principalOf = (...permissions: Permission[]): Principal => ({
  tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
  kind: 'user',
  id: 'me',
  name: 'me@example.com',
  roles: [],
  permissions: new Set(permissions),
  authenticatedAtMs: 0,
});

const datamapOf = (state: DatamapState, part: Partial<StoredDatamap> = {}): StoredDatamap => ({
  record: { datamap: { state } } as StoredDatamap['record'],
  version: 3,
  ownerId: 'owner',
  stewardId: null,
  sourceId: 's',
  ...part,
});

const problem = (code: string) => expect.objectContaining({ code });
const STATES = ['DRAFT', 'IN_PROGRESS', 'PUBLISHED', 'ARCHIVED'] as const;

describe('visibleDatamap', () => {
  it.each(STATES)('shows a datamap in the state %s to its owner, its steward and administrators', (state) => {
    for (const datamap of [datamapOf(state, { ownerId: 'me' }), datamapOf(state, { stewardId: 'me' })]) {
      expect(visibleDatamap(datamap, principalOf())).toBe(datamap);
    }
    for (const permission of ['metadata:write', 'admin'] as const) {
      const datamap = datamapOf(state);
      expect(visibleDatamap(datamap, principalOf(permission))).toBe(datamap);
    }
  });

  it.each(STATES)('hides a datamap in the state %s from other users, unless it is published', (state) => {
    const show = () => visibleDatamap(datamapOf(state), principalOf('query:run'));
    if (state === 'PUBLISHED') expect(show()).toBeDefined();
    else expect(show).toThrow(problem('not_found'));
  });

  it('throws the same error for a hidden and a missing datamap', () => {
    const messageOf = (found: StoredDatamap | undefined): string => {
      try {
        return visibleDatamap(found, principalOf()).ownerId;
      } catch (thrown) {
        return String(thrown);
      }
    };
    expect(messageOf(undefined)).toBe(messageOf(datamapOf('DRAFT')));
  });
});

describe('changeableDatamap', () => {
  it('returns the version that the caller has read', () => {
    const datamap = datamapOf('DRAFT', { ownerId: 'me' });
    expect(changeableDatamap(datamap, principalOf(), 3)).toBe(datamap);
    expect(changeableDatamap(datamap, principalOf(), undefined)).toBe(datamap);
    expect(() => changeableDatamap(datamap, principalOf(), 2)).toThrow(problem('precondition_failed'));
  });

  it('throws access_denied for a visible datamap of another owner, before it compares versions', () => {
    for (const datamap of [datamapOf('PUBLISHED'), datamapOf('DRAFT', { stewardId: 'me' })]) {
      expect(() => changeableDatamap(datamap, principalOf('datamap:write'), 2)).toThrow(problem('access_denied'));
    }
    expect(() => changeableDatamap(datamapOf('DRAFT'), principalOf(), 3)).toThrow(problem('not_found'));
  });
});

describe('the rule who may change a datamap', () => {
  const mayUpdate = (datamap: StoredDatamap, principal: Principal): boolean => {
    try {
      return changeableDatamap(datamap, principal, undefined) === datamap;
    } catch {
      return false;
    }
  };
  const mayImport = ({ record, ownerId, stewardId }: StoredDatamap, principal: Principal): boolean => {
    const status = { state: record.datamap.state, ownerId, stewardId };
    const metadata = { displayName: null, description: null, tags: [], domains: [], owner: null, fields: new Map() };
    const fact = { ...metadata, factId: 'd', type: 'DATAMAP', version: 3, status } as const;
    const object = { type: 'DATAMAP', id: 'd' } as const;
    return (
      checkObject({ principal, object, fact, after: metadata, unknownDomains: [], domainNames: [] }).rejection ===
      undefined
    );
  };

  it.each([
    ['its owner', { ownerId: 'me' }, principalOf(), true],
    ['a user with metadata:write', {}, principalOf('metadata:write'), true],
    ['a user with admin', {}, principalOf('admin'), true],
    ['its steward', { stewardId: 'me' }, principalOf('datamap:write'), false],
    ['a user with datamap:write', {}, principalOf('datamap:write'), false],
  ] as const)('is the same for an import and an update: %s', (_name, part, principal, isAllowed) => {
    for (const state of STATES) {
      const datamap = datamapOf(state, part);
      expect([state, mayUpdate(datamap, principal), mayImport(datamap, principal)]).toEqual([
        ...[state, isAllowed, isAllowed],
      ]);
    }
  });
});
