import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { CatalogListing } from './catalog-listing.ts';
import { TypeNames } from './type-names.ts';

const LISTING: CatalogListing = {
  catalogs: ['shop'],
  schemasSql: () => '',
  tablesSql: () => [],
  typeName: (text) => (text === 'INTEGER' ? 'integer' : undefined),
  typeSql: ({ name, type }) => [`column ${name}`, `cast ${type}`],
};
const column = (type: string) => ({ catalog: 'shop', schema: 'main', table: 't', name: 'c', type });

function typeNames(answers: Readonly<Record<string, string | ProblemError>>) {
  const asked: string[] = [];
  const names = new TypeNames(LISTING, async (sql) => {
    asked.push(sql);
    const answer = answers[sql];
    if (answer instanceof Error) throw answer;
    return answer === undefined ? [] : [{ name: 'c', type: answer }];
  });
  return { names, asked };
}

describe('TypeNames', () => {
  it('knows types whose text is enough without the engine', () => {
    const { names, asked } = typeNames({});
    expect([names.known('INTEGER'), names.known('MOOD'), asked]).toEqual(['integer', undefined, []]);
  });

  it('asks the engine once for each other type', async () => {
    const { names, asked } = typeNames({ 'column c': 'row(a integer)' });
    expect(await names.of(column('STRUCT(a INTEGER)'))).toBe('row(a integer)');
    expect(names.known('STRUCT(a INTEGER)')).toBe('row(a integer)');
    expect(asked).toEqual(['column c']);
  });

  it('uses the next statement if one fails because of the caller’s view, and the widest type if all do', async () => {
    const missing = new ProblemError('table_not_found', 'gone');
    const second = typeNames({ 'column c': missing, 'cast MOOD': 'varchar(3)' });
    expect(await second.names.of(column('MOOD'))).toBe('varchar(3)');
    const none = typeNames({ 'column c': missing, 'cast MOOD': missing });
    expect(await none.names.of(column('MOOD'))).toBe('varchar');
  });

  it('throws a failure of the engine itself', async () => {
    const failure = new ProblemError('engine_unavailable', 'down');
    const { names } = typeNames({ 'column c': failure, 'cast MOOD': failure });
    await expect(names.of(column('MOOD'))).rejects.toBe(failure);
  });
});
