import { describe, expect, it } from '@jest/globals';
import type { Configuration } from '@sluice/contract';
import type { DatamapAccount, DatamapRepository, StoredDatamap } from '@sluice/store/datamaps';
import { findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

const account: DatamapAccount = { kind: 'user', id: 'u', name: 'me@example.com' };
const datamapOf = (id: string) => ({ record: { id } }) as StoredDatamap;

/** Store of datamaps in memory that counts its queries. */
function fixture(idsByName: Readonly<Record<string, readonly string[]>>) {
  const queries: string[] = [];
  const all = new Map(Object.values(idsByName).flatMap((ids) => ids.map((id) => [id, datamapOf(id)] as const)));
  const datamaps = {
    idsByName: async (names: readonly string[]) => {
      queries.push(`names ${names.join()}`);
      return new Map(
        names.flatMap((name) => (idsByName[name] === undefined ? [] : [[name, idsByName[name]] as const])),
      );
    },
    findAll: async (_account: DatamapAccount, ids: readonly string[]) => {
      queries.push(`ids ${ids.join()}`);
      return new Map([...all].filter(([id]) => ids.includes(id)));
    },
    find: async (_account: DatamapAccount, id: string) => {
      queries.push(`id ${id}`);
      return all.get(id);
    },
  } as unknown as DatamapRepository;
  return { queries, datamaps };
}

const fileOf = (file: object) => file as Configuration;

describe('findConfiguredDatamaps', () => {
  it('resolves all names in one query, and all datamaps in one at the first lookup', async () => {
    const { queries, datamaps } = fixture({ a: ['1'], b: ['2'] });
    const file = fileOf({
      datamaps: [{ name: 'a' }, { id: '3', name: 'c' }],
      marketplace_items: [{ queries: [{ datamap: 'b' }] }],
    });
    const find = await findConfiguredDatamaps(datamaps, account, file);
    expect(queries).toEqual(['names a,b']);
    expect(await find.byName('a')).toEqual(datamapOf('1'));
    expect(await find.byName('b')).toEqual(datamapOf('2'));
    expect(await find.byId('3')).toBeUndefined();
    expect(queries).toEqual(['names a,b', 'ids 3,1,2']);
  });

  it('returns undefined for an unknown name, and the number of datamaps for a name that several have', async () => {
    const { datamaps } = fixture({ a: ['1', '2'] });
    const find = await findConfiguredDatamaps(datamaps, account, fileOf({ datamaps: [{ name: 'a' }, { name: 'b' }] }));
    const found = await find.byName('a');
    expect(isAmbiguous(found) && found.candidateCount).toBe(2);
    expect(await find.byName('b')).toBeUndefined();
  });

  it('finds a datamap whose id only a marketplace item has', async () => {
    const { queries, datamaps } = fixture({ a: ['1'] });
    const find = await findConfiguredDatamaps(datamaps, account, fileOf({}));
    expect(await find.byId('1')).toEqual(datamapOf('1'));
    expect(queries).toEqual(['ids ', 'id 1']);
  });
});
