import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Admin, adminOf, get } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { madeDatamap, sendAs } from '../datamaps/datamap-requests.ts';
import { type ApplyFixture, actionsOf, countsOf, fileOf, startApplyFixture } from './apply-fixture.ts';

let fixture: ApplyFixture;
let test: TestHost;
let admin: Admin;
let apply: ApplyFixture['apply'];
let applyYaml: ApplyFixture['applyYaml'];
let changeRecordsOf: ApplyFixture['changeRecordsOf'];
let stateOf: ApplyFixture['stateOf'];

beforeAll(async () => {
  fixture = await startApplyFixture();
  ({ test, admin, apply, applyYaml, changeRecordsOf, stateOf } = fixture);
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

describe('a configuration file with domains, datamaps and items', () => {
  it('creates every object as the single requests do, each with an audit record', async () => {
    const answer = await apply(fileOf('first'));
    expect([answer.status, countsOf(answer)]).toEqual([
      200,
      { dry_run: false, created_count: 9, updated_count: 0, unchanged_count: 0 },
    ]);
    expect(actionsOf(answer)).toEqual([
      'create role first-readers',
      'create user ada@first.example',
      'create domain first domain',
      'create domain first other',
      'create datamap first_ones',
      'create datamap first_twos',
      'create datamap first_draft',
      'create marketplace_item first-pack',
      'create marketplace_grants first-pack',
    ]);
    const found = await sendAs(test, admin, {
      method: 'POST',
      path: '/datamap/search',
      body: { q: 'first', size: 10 },
    });
    const listed = found.body.data.map(({ datamap }: { datamap: Record<string, unknown[]> }) => [
      datamap['name'],
      datamap['state'],
      datamap['datamap_fields']?.length,
    ]);
    expect(listed.sort()).toEqual([
      ['first_draft', 'DRAFT', 1],
      ['first_ones', 'PUBLISHED', 1],
      ['first_twos', 'PUBLISHED', 1],
    ]);
    const actions = (await changeRecordsOf(answer)).map(([action]) => String(action)).sort();
    expect(actions).toEqual([
      'APPLY_CONFIGURATION',
      ...['CREATE_DATAMAP', 'CREATE_DATAMAP', 'CREATE_DATAMAP', 'CREATE_DOMAIN', 'CREATE_DOMAIN'],
      ...['CREATE_MARKETPLACE_ITEM', 'CREATE_ROLE', 'CREATE_USER', 'GRANT_MARKETPLACE_ITEM'],
      ...['PUBLISH_DATAMAP', 'PUBLISH_DATAMAP'],
    ]);
    const items = await test.rows(
      `select i.title, i.version, i.owner_name, (select count(*)::int from marketplace_grants g where g.item_id = i.item_id) as grants,
        (select array_agg(d.name order by q.position) from marketplace_queries q join datamaps d on d.fact_id = q.datamap_id
          where q.item_id = i.item_id) as queries
      from marketplace_items i where i.tenant_id = $1 and i.item_id = 'first-pack'`,
      [test.acme.tenantId],
    );
    expect(items).toEqual([
      {
        title: 'Pack of first',
        version: '1',
        owner_name: admin.email,
        grants: 2,
        queries: ['first_ones', 'first_twos'],
      },
    ]);
  });

  it('changes nothing when it is applied again, by any admin, as JSON or as YAML', async () => {
    await apply(fileOf('again'));
    const before = await stateOf(test.acme.tenantId);
    const other = await adminOf(test, test.acme);
    const file = fileOf('again');
    file.marketplace_items[0]?.grants.reverse();
    for (const answer of [await apply(file), await apply(file, other.ask), await applyYaml(JSON.stringify(file))]) {
      expect(countsOf(answer)).toEqual({ dry_run: false, created_count: 0, updated_count: 0, unchanged_count: 9 });
      expect(await changeRecordsOf(answer)).toEqual([['APPLY_CONFIGURATION', 'administration', countsOf(answer)]]);
    }
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });

  it('changes what differs, and leaves unnamed objects unchanged', async () => {
    await apply(fileOf('later'));
    const answer = await apply({
      domains: [{ name: 'Later domain', description: null }],
      datamaps: [
        { name: 'later_ones', sql: 'select 1 as one, 2 as two', state: 'PUBLISHED' },
        { name: 'later_draft', state: 'DRAFT' },
      ],
      marketplace_items: [
        { id: 'later-pack', title: 'Later', queries: [{ name: 'ones', datamap: 'later_ones' }], grants: [] },
      ],
    });
    expect(actionsOf(answer)).toEqual([
      'update domain Later domain',
      'update datamap later_ones',
      'none datamap later_draft',
      'update marketplace_item later-pack',
      'update marketplace_grants later-pack',
    ]);
    const [, ones, , pack, grants] = answer.body.changes;
    expect([ones.after.tags, ones.after.state, ones.after.sql]).toEqual([
      ['One'],
      'PUBLISHED',
      'select 1 as one, 2 as two',
    ]);
    expect([pack.after.title, pack.after.tags, pack.after.queries.length]).toEqual(['Later', ['pack'], 1]);
    expect([grants.before.length, grants.after]).toEqual([2, []]);
    const withdrawn = await apply({ datamaps: [{ name: 'later_twos', state: 'DRAFT' }] });
    expect(withdrawn.body.changes[0].after.state).toBe('IN_PROGRESS');
    expect(await changeRecordsOf(withdrawn)).toHaveLength(2);
  });

  it('finds a renamed datamap by its id', async () => {
    const id = await madeDatamap(test, admin, { name: 'named_badly' });
    const file = { datamaps: [{ id, name: 'named_well', state: 'PUBLISHED' }] };
    expect(actionsOf(await apply(file))).toEqual(['update datamap named_well']);
    expect(actionsOf(await apply(file))).toEqual(['none datamap named_well']);
    const { body } = await get(test, admin, `/datamap/${id}`);
    expect([body.datamap.name, body.datamap.state]).toEqual(['named_well', 'PUBLISHED']);
  });

  it('has the same effect in YAML as in JSON', async () => {
    const yaml = `
# a file as people write it
domains:
  - name: yaml domain
datamaps:
  - name: yaml_ones
    sql: |
      select 1 as one
    state: PUBLISHED
marketplace_items:
  - id: yaml-pack
    title: Pack
    domains: [yaml domain]
    queries: [{name: ones, datamap: yaml_ones}]
    grants:
      - {kind: role, name: analyst}
`;
    expect(countsOf(await applyYaml(yaml))).toMatchObject({ created_count: 4 });
    const again = await apply({
      domains: [{ name: 'yaml domain' }],
      datamaps: [{ name: 'yaml_ones', sql: 'select 1 as one\n', state: 'PUBLISHED' }],
      marketplace_items: [
        {
          id: 'yaml-pack',
          title: 'Pack',
          domains: ['yaml domain'],
          queries: [{ name: 'ones', datamap: 'yaml_ones' }],
          grants: [{ kind: 'role', name: 'analyst' }],
        },
      ],
    });
    expect(countsOf(again)).toMatchObject({ updated_count: 0, unchanged_count: 4 });
  });
});

describe('a dry run', () => {
  it('reports the changes and writes only the audit log', async () => {
    await apply(fileOf('dry'));
    const before = await stateOf(test.acme.tenantId);
    const file = {
      domains: [{ name: 'dry new' }],
      datamaps: [
        { name: 'dry_ones', sql: 'select 11 as eleven', state: 'PUBLISHED' },
        { name: 'dry_new', sql: 'select 4 as four', state: 'PUBLISHED' },
      ],
      marketplace_items: [
        { id: 'dry-new', title: 'New', domains: ['dry new'], queries: [{ name: 'n', datamap: 'dry_new' }], grants: [] },
      ],
    };
    const answer = await apply({ ...file, dry_run: true });
    expect(countsOf(answer)).toEqual({ dry_run: true, created_count: 3, updated_count: 1, unchanged_count: 1 });
    expect(await stateOf(test.acme.tenantId)).toBe(before);
    expect(await changeRecordsOf(answer)).toEqual([['APPLY_CONFIGURATION', 'administration', countsOf(answer)]]);
    expect(countsOf(await apply(file))).toMatchObject({ created_count: 3, updated_count: 1, unchanged_count: 1 });
  });
});
it('files applied concurrently have the effect of files applied in sequence', async () => {
  const answers = await Promise.all([apply(fileOf('race')), apply(fileOf('race')), apply(fileOf('race'))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ body }) => body.created_count).sort()).toEqual([0, 0, 9]);
});
