import { describe, expect, it } from '@jest/globals';
import type { DatamapContent } from '@sluice/store/datamaps';
import { changedContent, findSteward, newContent } from './datamap-content.ts';

const before: DatamapContent = {
  name: 'orders',
  displayName: 'Orders',
  description: 'All orders',
  tags: ['a'],
  state: 'PUBLISHED',
  priority: 'LOW',
  steward: { id: 'u', name: 'me@example.com' },
  sql: 'select 1',
  parameters: [],
  explanation: '',
  sourceId: 's',
  limit: 10,
};

describe('changedContent', () => {
  it('keeps what a request does not have', () => {
    expect(changedContent(before, {}, undefined)).toEqual(before);
  });

  it('sets the state to IN_PROGRESS only if the SQL differs', () => {
    expect(changedContent(before, { sql: 'select 1' }, undefined).state).toBe('PUBLISHED');
    expect(changedContent(before, { sql: 'select 2' }, undefined)).toMatchObject({
      state: 'IN_PROGRESS',
      sql: 'select 2',
    });
    expect(changedContent(before, { sql: null }, undefined)).toMatchObject({ state: 'IN_PROGRESS', sql: null });
  });

  it('removes a description that is empty or null, and a steward that is null', () => {
    expect(changedContent(before, { description: '' }, undefined).description).toBeNull();
    expect(changedContent(before, { description: null }, undefined).description).toBeNull();
    expect(changedContent(before, {}, null).steward).toBeNull();
  });
});

describe('newContent', () => {
  it('is a draft, and is displayed under its name by default', () => {
    expect(
      newContent({ name: 'orders', sql: 'select 1' } as Parameters<typeof newContent>[0], undefined),
    ).toMatchObject({
      name: 'orders',
      displayName: 'orders',
      state: 'DRAFT',
      sql: 'select 1',
      steward: null,
    });
  });
});

describe('findSteward', () => {
  const datamaps = {
    findUser: async (email: string) => (email === 'me@example.com' ? (before.steward ?? undefined) : undefined),
  };

  it('returns the user of the e-mail, null for null, and undefined without one', async () => {
    expect(await findSteward(datamaps, { sme: 'me@example.com' })).toEqual(before.steward);
    expect(await findSteward(datamaps, { sme: null })).toBeNull();
    expect(await findSteward(datamaps, {})).toBeUndefined();
  });

  it('throws invalid_request for an e-mail without a user', async () => {
    await expect(findSteward(datamaps, { sme: 'other@example.com' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.sme' }],
    });
  });
});
