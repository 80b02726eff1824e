import { describe, expect, it } from '@jest/globals';
import { type TableRow, tableRecordOf } from './datamap-mapper.ts';

const row: TableRow = {
  fact_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  type: 'TABLE',
  description: null,
  tags: ['air'],
  version: '1',
  created: new Date(1000),
  updated: new Date(2000),
  updated_by: null,
  view_count: '7',
  queries: null,
  favourite_count: null,
  upvote_count: null,
  downvote_count: null,
  rating_count: null,
  rating_sum: null,
  last_executed: null,
  activity_id: null,
  is_favourite: null,
  rating: null,
  vote: null,
  viewed: null,
  last_viewed: null,
  activity_created: null,
  activity_updated: null,
  source_id: null,
  source_name: null,
  vendor_name: null,
  location: null,
  domains: [],
  name: 'flights',
  catalog_name: 'demo',
  schema_name: 'vega',
  remarks: null,
  columns: [['delay', 'integer', null, null]],
};
const context = { accountId: 'ann', score: 1 };

describe('tableRecordOf', () => {
  it.each([
    [['demo', 'vega', 'flights'], 'demo.vega.flights'],
    [['demo', 'v.2', 'flights'], 'demo."v.2".flights'],
    [['demo', 'vega', 'a "b"'], 'demo.vega."a ""b"""'],
  ])('has the id of %j in the form that an import accepts', ([catalog_name = '', schema_name = '', name = ''], id) => {
    expect(tableRecordOf({ ...row, catalog_name, schema_name, name }, context).id).toBe(id);
  });

  it.each([
    [null, null, 0],
    ['0', '0', 0],
    ['3', '10', 3.33],
    ['3', '11', 3.67],
    ['2', '9', 4.5],
  ])('rounds the average of %s ratings with the sum %s to %s', (rating_count, rating_sum, average) => {
    expect(tableRecordOf({ ...row, rating_count, rating_sum }, context).average_rating).toBe(average);
  });

  it('has empty values for absent ones, and is published', () => {
    const record = tableRecordOf(row, context);
    expect(record).toMatchObject({ source_id: '', vendor_name: '', view_count: 7, query_count: 0, field_count: 1 });
    expect(record.fields).toMatchObject([{ name: 'delay', description: '', tags: [] }]);
    expect(record.datamap).toMatchObject({ state: 'PUBLISHED', config: { limit: 1000 } });
  });
});
