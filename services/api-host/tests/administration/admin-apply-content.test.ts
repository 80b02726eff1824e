import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import {
  type AskAsAdmin,
  adminOf,
  get,
  HOSTILE_VALUES,
  type LoggedIn,
  logInAs,
  recordsOf,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { madeDatamap, sendAs } from '../datamaps/datamap-requests.ts';

let test: TestHost;
let admin: LoggedIn & { ask: AskAsAdmin };
let otherTenantAdmin: LoggedIn & { ask: AskAsAdmin };

beforeAll(async () => {
  test = await startTestHost();
  admin = await adminOf(test, test.acme);
  otherTenantAdmin = await adminOf(test, test.globex);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

/** Audit records of a response, without those of describing SQL. */
const changeRecordsOf = async (answer: Parameters<typeof recordsOf>[1]) =>
  (await recordsOf(test, answer)).filter(([action]) => action !== 'DESCRIBE_QUERY');

const apply = (body: unknown, ask: AskAsAdmin = admin.ask) => ask({ method: 'POST', path: '/apply', body });

const applyYaml = (body: string, { idToken }: LoggedIn = admin): Promise<ReceivedResponse> =>
  send(`${test.url}/admin/apply`, {
    method: 'POST',
    headers: { idtoken: idToken, 'content-type': 'application/yaml' },
    body,
  });

/** Everything except counters, because views of earlier tests are counted later. */
const TABLES = [
  'roles',
  'domains',
  'facts',
  'datamaps',
  'datamap_fields',
  'search_entries',
  'marketplace_items',
  'marketplace_queries',
  'marketplace_grants',
];

/** Everything that a file can change in a tenant, except accounts. */
const stateOf = async (tenantId: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      TABLES.map((table) => test.rows(`select * from ${table} t where tenant_id = $1 order by t::text`, [tenantId])),
    ),
  );

const fileOf = (name: string) => ({
  roles: [{ name: `${name}-readers`, permissions: ['datamap:read', 'marketplace:download'] }],
  users: [{ email: `ada@${name}.example`, roles: [`${name}-readers`] }],
  domains: [{ name: `${name} domain`, description: 'What it is about' }, { name: `${name} other` }],
  datamaps: [
    { name: `${name}_ones`, description: 'Ones', tags: ['One'], sql: 'select 1 as one', state: 'PUBLISHED' },
    { name: `${name}_twos`, sql: 'select 2 as two', sme: `ada@${name}.example`, state: 'PUBLISHED' },
    { name: `${name}_draft`, priority: 'LOW', sql: 'select 3 as three' },
  ],
  marketplace_items: [
    {
      id: `${name}-pack`,
      title: `Pack of ${name}`,
      tags: ['pack'],
      domains: [`${name} DOMAIN`],
      queries: [
        { name: 'ones', datamap: `${name}_ones` },
        { name: 'twos', datamap: `${name}_twos` },
      ],
      grants: [
        { kind: 'role', name: `${name}-readers` },
        { kind: 'user', name: `Ada@${name}.example`, expires_ts: 4_000_000_000_000 },
      ],
    },
  ],
});

const countsOf = ({ body: { changes: _changes, ...counts } }: ReceivedResponse) => counts;
const actionsOf = ({ body }: ReceivedResponse) =>
  body.changes.map(({ kind, name, action }: Record<string, string>) => `${action} ${kind} ${name}`);
const pathsOf = ({ body }: ReceivedResponse): string[] => body.details.map(({ path }: { path: string }) => path);

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
    const told = found.body.data.map(({ datamap }: { datamap: Record<string, unknown[]> }) => [
      datamap['name'],
      datamap['state'],
      datamap['datamap_fields']?.length,
    ]);
    expect(told.sort()).toEqual([
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

describe('invalid requests', () => {
  const wrong = {
    roles: [{ name: 'wrong-role', permissions: [] }],
    users: [{ email: 'a@wrong.example', roles: ['nobody'] }],
    domains: [{ name: 'wrong domain' }],
    datamaps: [
      { name: 'wrong_fine', sql: 'select 1 as one', state: 'PUBLISHED' },
      { name: 'wrong_syntax', sql: 'selekt 1', state: 'PUBLISHED' },
      { name: 'wrong_write', sql: 'create table t (a int)' },
      { name: 'wrong_empty', state: 'PUBLISHED' },
      { name: 'wrong_steward', sme: 'nobody@wrong.example' },
      { name: 'wrong_id', id: '00000000-0000-4000-8000-000000000000' },
      { name: 'wrong_draft', sql: 'select 1 as one' },
    ],
    marketplace_items: [
      {
        id: 'wrong-pack',
        title: 'Wrong',
        domains: ['wrong domain', 'no such domain'],
        owner: 'nobody@wrong.example',
        queries: [
          { name: 'a', datamap: 'wrong_fine' },
          { name: 'b', datamap: 'no_such_datamap' },
          { name: 'c', datamap: 'wrong_syntax' },
        ],
        grants: [
          { kind: 'role', name: 'wrong-role' },
          { kind: 'role', name: 'no-such-role' },
          { kind: 'user', name: 'a@wrong.example' },
        ],
      },
      { id: 'wrong-draft', title: 'Draft', queries: [{ name: 'a', datamap: 'wrong_draft' }] },
    ],
  };

  it('is reported by location, every problem at once, and one error leaves everything unchanged', async () => {
    const before = await stateOf(test.acme.tenantId);
    for (const dry_run of [true, false]) {
      const answer = await apply({ ...wrong, dry_run });
      expect([answer.status, answer.body.error, pathsOf(answer)]).toEqual([
        400,
        'invalid_request',
        [
          'body.users[0].roles[0]',
          'body.datamaps[1].sql',
          'body.datamaps[2].sql',
          'body.datamaps[3].state',
          'body.datamaps[4].sme',
          'body.datamaps[5].id',
          'body.marketplace_items[0].queries[1].datamap',
          'body.marketplace_items[0].domains[1]',
          'body.marketplace_items[0].owner',
          'body.marketplace_items[0].grants[1]',
          'body.marketplace_items[1].queries[0].datamap',
        ],
      ]);
      expect(await changeRecordsOf(answer)).toEqual([]);
    }
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });

  it('includes a grant with a past expiry, unless the item has that grant already', async () => {
    const file = fileOf('past');
    const [pack] = file.marketplace_items;
    const until = (expires_ts: number) => ({
      ...file,
      marketplace_items: [{ ...pack, grants: [{ kind: 'role', name: 'past-readers', expires_ts }] }],
    });
    const past = Date.UTC(2020, 0, 1);
    for (const dry_run of [true, false]) {
      const answer = await apply({ ...until(past), dry_run });
      expect([answer.status, pathsOf(answer)]).toEqual([400, ['body.marketplace_items[0].grants[0].expires_ts']]);
    }
    expect((await apply(until(4_000_000_000_000))).status).toBe(200);
    await test.rows(
      `update marketplace_grants set expires = to_timestamp($1::float8 / 1000) where item_id = 'past-pack'`,
      [past],
    );
    expect(countsOf(await apply(until(past)))).toMatchObject({ updated_count: 0, unchanged_count: 9 });
    expect(pathsOf(await apply(until(past + 1)))).toEqual(['body.marketplace_items[0].grants[0].expires_ts']);
  });

  it('does not see objects of another tenant', async () => {
    await apply(fileOf('theirs'), otherTenantAdmin.ask);
    const unsealedRows = await stateOf(test.globex.tenantId);
    const [{ id }] = (await test.rows<{ id: string }>(
      `select fact_id as id from datamaps where tenant_id = $1 and name = 'theirs_ones'`,
      [test.globex.tenantId],
    )) as [{ id: string }];
    const answer = await apply({
      datamaps: [{ name: 'mine', id }],
      marketplace_items: [
        {
          id: 'mine',
          title: 'Mine',
          domains: ['theirs domain'],
          queries: [
            { name: 'by name', datamap: 'theirs_ones' },
            { name: 'by id', datamap: id },
          ],
          grants: [{ kind: 'role', name: 'theirs-readers' }],
        },
      ],
    });
    expect(pathsOf(answer)).toEqual([
      'body.datamaps[0].id',
      'body.marketplace_items[0].queries[0].datamap',
      'body.marketplace_items[0].queries[1].datamap',
      'body.marketplace_items[0].domains[0]',
      'body.marketplace_items[0].grants[0]',
    ]);
    expect((await apply(fileOf('theirs'))).body.created_count).toBe(9);
    expect(await stateOf(test.globex.tenantId)).toBe(unsealedRows);
  });

  it('includes a name shared by several datamaps, and one datamap in two entries', async () => {
    const id = await madeDatamap(test, admin, { name: 'twice' });
    await madeDatamap(test, admin, { name: 'twice' });
    const lone = await madeDatamap(test, admin, { name: 'lone' });
    const answer = await apply({
      datamaps: [{ name: 'twice' }, { name: 'lone' }, { name: 'alone', id: lone }],
      marketplace_items: [{ id: 'twice', title: 'T', queries: [{ name: 'a', datamap: 'twice' }] }],
    });
    expect(pathsOf(answer)).toEqual(['body.datamaps[0].name', 'body.datamaps[2].name']);
    expect(
      pathsOf(
        await apply({ marketplace_items: [{ id: 't', title: 'T', queries: [{ name: 'a', datamap: 'twice' }] }] }),
      ),
    ).toEqual(['body.marketplace_items[0].queries[0].datamap']);
    expect(actionsOf(await apply({ datamaps: [{ name: 'twice', id }] }))).toEqual(['none datamap twice']);
  });

  it('includes every wrong shape, with 400 and the locations', async () => {
    const answer = await apply({
      domains: [{ name: 'a' }, { name: 'A' }],
      datamaps: [{ name: 'x', state: 'ARCHIVED', domain: 'y' }, { sql: 1 }],
      marketplace_items: [{ id: 'X', title: '', queries: [] }],
    });
    expect([answer.status, [...pathsOf(answer)].sort()]).toEqual([
      400,
      [
        'body.datamaps[0].domain',
        'body.datamaps[0].state',
        'body.datamaps[1].name',
        'body.datamaps[1].sql',
        'body.domains',
        'body.marketplace_items[0].id',
        'body.marketplace_items[0].queries',
        'body.marketplace_items[0].title',
      ],
    ]);
    for (const value of HOSTILE_VALUES) {
      for (const body of [
        { domains: value },
        { domains: [{ name: value, description: value }] },
        { datamaps: [{ name: value }] },
        { datamaps: [{ name: 'x', id: value, sql: value, sme: value }] },
        {
          marketplace_items: [
            { id: 'x', title: 'x', domains: [value], owner: value, queries: [{ name: 'x', datamap: value }] },
          ],
        },
        {
          marketplace_items: [
            { id: 'x', title: 'x', queries: [{ name: 'x', datamap: 'x' }], grants: [{ kind: 'user', name: value }] },
          ],
        },
      ]) {
        expect((await apply({ ...body, dry_run: true })).status).toBeLessThan(500);
      }
    }
  }, 60_000);

  it('includes a repeated list entry, reported by name', async () => {
    const queries = ['all', 'ALL', 'one'].map((name) => ({ name, datamap: 'd' }));
    const answer = await apply({
      roles: ['r', 's', 'r'].map((name) => ({ name, permissions: ['query:run', 'audit:read', 'query:run'] })),
      users: [{ email: 'ada@x.example', roles: ['s', 'r', 'r', 'r', 's'] }, { email: 'ADA@x.example' }],
      service_accounts: [{ client_id: 'etl' }, { client_id: 'etl' }],
      domains: [{ name: 'Sales' }, { name: 'SALES' }],
      datamaps: [{ name: 'd' }, { name: 'd' }],
      marketplace_items: ['i', 'i'].map((id) => ({
        id,
        title: 'I',
        queries,
        grants: ['Ann@x.example', 'ann@x.example'].map((name) => ({ kind: 'user', name })),
      })),
      identity_provider: {
        issuer: 'https://id.example',
        client_id: 'c',
        scopes: ['openid', 'email', 'email'],
        groups_claim: 'groups',
        role_mappings: ['g', 'g'].map((value) => ({ value, roles: [] })),
      },
    });
    const messages = answer.body.details.map(({ path, message }: Record<string, string>) => `${path}: ${message}`);
    expect([answer.status, messages.sort()]).toEqual([
      400,
      [
        'body.datamaps: datamaps must not name d twice',
        'body.domains: domains must not name SALES twice',
        'body.identity_provider.role_mappings: role_mappings must not name g twice',
        'body.identity_provider.scopes: scopes must not name email twice',
        'body.marketplace_items: marketplace_items must not name i twice',
        'body.marketplace_items[0].grants: grants must not name the user ann@x.example twice',
        'body.marketplace_items[0].queries: queries must not name ALL twice',
        'body.marketplace_items[1].grants: grants must not name the user ann@x.example twice',
        'body.marketplace_items[1].queries: queries must not name ALL twice',
        'body.roles: roles must not name r twice',
        'body.roles[0].permissions: permissions must not name query:run twice',
        'body.roles[1].permissions: permissions must not name query:run twice',
        'body.roles[2].permissions: permissions must not name query:run twice',
        'body.service_accounts: service_accounts must not name etl twice',
        'body.users: users must not name ada@x.example twice',
        'body.users[0].roles: roles must not name r twice',
        'body.users[0].roles: roles must not name s twice',
      ],
    ]);
  });

  it('returns 403 without the permission admin, whatever other permissions the caller has', async () => {
    const steward = await logInAs(test, ['steward'], test.acme);
    const answer = await applyYaml('domains: [{name: d}]', steward);
    expect([answer.status, (await recordsOf(test, answer))[0]?.[0]]).toEqual([403, 'ACCESS_DENIED']);
  });
});

describe('hostile YAML', () => {
  it.each([
    ['aliases that multiply', 'a: &a [x, x]\nb: &b [*a, *a]\nroles: [*b, *b]', 400],
    ['an alias of what it is in', 'roles: &a [*a]', 400],
    ['one key twice', 'domains: [{name: a}]\ndomains: [{name: b}]', 400],
    ['a tag', 'domains: !!js/function "x"', 400],
    ['a megabyte of brackets', '['.repeat(2 ** 20), 400],
    ['a megabyte of dashes', '- '.repeat(2 ** 19), 400],
    ['more than a megabyte', `# ${'x'.repeat(2 ** 20)}`, 413],
    ['wrong types', 'domains: yes\ndatamaps: {name: a}\ndry_run: 1', 400],
    ['a text', 'domains', 400],
    ['nothing', '', 400],
    ['broken YAML', 'domains: [', 400],
  ])('with %s is rejected and changes nothing', async (_, body, status) => {
    const before = await stateOf(test.acme.tenantId);
    const answer = await applyYaml(body);
    expect([answer.status, typeof answer.body.message]).toEqual([status, 'string']);
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });
});

it('files applied concurrently have the effect of files applied in sequence', async () => {
  const answers = await Promise.all([apply(fileOf('race')), apply(fileOf('race')), apply(fileOf('race'))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ body }) => body.created_count).sort()).toEqual([0, 0, 9]);
});
