import { describe, expect, it } from '@jest/globals';
import type { DatamapState, Permission, Principal } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';
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
    expect(() => changeableDatamap(datamapOf('PUBLISHED'), principalOf(), 2)).toThrow(problem('access_denied'));
    expect(() => changeableDatamap(datamapOf('DRAFT'), principalOf(), 3)).toThrow(problem('not_found'));
  });
});
