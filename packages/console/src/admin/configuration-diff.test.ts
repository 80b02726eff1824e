import { describe, expect, it } from '@jest/globals';
import {
  type Applied,
  type AppliedChange,
  changedMembers,
  effectOf,
  lostByAccountOf,
  lostGrantsOf,
  mediaTypeOf,
  rolesAfter,
} from './configuration-diff.ts';

const change = (changed: Partial<AppliedChange>): AppliedChange => ({
  kind: 'user',
  name: 'ada@acme.example',
  action: 'update',
  before: { roles: ['analyst', 'auditor'], disabled: false },
  after: { roles: ['analyst'], disabled: false },
  invitation: null,
  client_secret: null,
  ...changed,
});

const ROLES = new Map([
  ['analyst', ['query:run']],
  ['auditor', ['audit:read', 'query:run']],
]);

describe('the changes of a configuration file', () => {
  it('are the members that differ', () => {
    expect(changedMembers(change({}))).toEqual([
      { name: 'roles', before: '["analyst","auditor"]', after: '["analyst"]' },
    ]);
    expect(changedMembers({ before: null, after: { sql: 'SELECT 1', tags: [], note: null } })).toEqual([
      { name: 'sql', before: undefined, after: 'SELECT 1' },
      { name: 'tags', before: undefined, after: '[]' },
    ]);
  });

  it('take permissions from accounts with other roles, and from those they disable', () => {
    expect(lostByAccountOf([change({})], ROLES)).toEqual([
      { name: 'ada@acme.example', permissions: ['audit:read'], isDisabled: false },
    ]);
    const disabled = change({ after: { roles: ['analyst', 'auditor'], disabled: true } });
    expect(lostByAccountOf([disabled, change({ action: 'create', before: null })], ROLES)).toEqual([
      { name: 'ada@acme.example', permissions: [], isDisabled: true },
    ]);
  });

  it('take grants of items away', () => {
    const grants = { kind: 'marketplace_grants', name: 'flights' } as const;
    const [role, user] = [
      { kind: 'role', name: 'analyst', expires_ts: null },
      { kind: 'user', name: 'ada@acme.example', expires_ts: null },
    ];
    const lost = change({ ...grants, before: [role, user], after: [{ ...user, expires_ts: 7 }] });
    const created = change({ ...grants, action: 'create', before: null, after: [role] });
    expect(lostGrantsOf([lost, created, change({})])).toEqual([{ item: 'flights', kind: 'role', name: 'analyst' }]);
  });

  it('take permissions from roles', () => {
    const role = { kind: 'role', name: 'auditor' } as const;
    const lost = change({ ...role, before: { permissions: ['audit:read', 'query:run'] }, after: { permissions: [] } });
    const created = change({ ...role, action: 'create', before: null, after: { permissions: ['query:run'] } });
    expect([...rolesAfter([lost, created, change({})])]).toEqual([['auditor', []]]);
  });

  it('are the same, whatever was shown only once', () => {
    const applied = (each: AppliedChange): Applied => ({
      dry_run: false,
      created_count: 0,
      updated_count: 1,
      unchanged_count: 0,
      changes: [each],
    });
    expect(effectOf(applied(change({ client_secret: 'shown once' })))).toBe(effectOf(applied(change({}))));
    expect(effectOf(applied(change({ action: 'none' })))).not.toBe(effectOf(applied(change({}))));
  });

  it.each([
    [' {"roles": []}', 'application/json'],
    ['roles: []', 'application/yaml'],
    ['# {\nroles: []', 'application/yaml'],
  ])('are sent as what the text is: %p', (text, expected) => {
    expect(mediaTypeOf(text)).toBe(expected);
  });
});
