import { describe, expect, it } from '@jest/globals';
import type { MetadataObject } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import type { DecidedObject } from './decide-import.ts';
import { failureOf, referObjects, targetOf, writeOptionsOf } from './import-request.ts';

const objects = [
  { type: 'TABLE', id: 'shop.main.items', domains: ['A', 'b'], fields: [{ name: 'price' }] },
  { type: 'DATAMAP', id: 'map', add_domains: ['a'], remove_domains: ['C'] },
  { type: 'TABLE', id: 'no name' },
] as unknown as readonly MetadataObject[];
const caller = buildCaller('ann');

describe('a request for metadata', () => {
  it('refers to tables by their parsed names, and to datamaps by their ids', () => {
    const referred = referObjects(objects);
    expect(referred.map(({ reference }) => reference)).toEqual([
      { type: 'TABLE', catalog: 'shop', schema: 'main', name: 'items' },
      { type: 'DATAMAP', id: 'map' },
      undefined,
    ]);
    expect(writeOptionsOf(caller, { objects: referred })).toEqual({
      tenantId: 't',
      user: 'ann@example.com',
      inputs: [
        { reference: referred[0]?.reference, fieldNames: ['price'] },
        { reference: referred[1]?.reference, fieldNames: [] },
      ],
      domainIds: ['a', 'b', 'c'],
      isDryRun: false,
    });
  });

  it('is recorded with the id of a single object, else with their number', () => {
    const referred = referObjects(objects);
    expect(targetOf({ objects: referred })).toBe('3 objects');
    expect(targetOf({ objects: referred.slice(0, 1) })).toBe('shop.main.items');
  });

  it.each([
    [['forbidden', 'forbidden'], 403],
    [['not found'], 404],
    [['not found', 'forbidden'], undefined],
    [['forbidden', undefined], undefined],
    [['invalid'], undefined],
    [[undefined], undefined],
  ])('whose objects have the rejections %j fails with %s', (reasons, status) => {
    const decided = reasons.map((reason) => ({ rejection: reason && { reason } }) as unknown as DecidedObject);
    expect(failureOf(decided)?.status).toBe(status);
  });
});
