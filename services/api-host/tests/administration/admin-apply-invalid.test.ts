import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type Admin, HOSTILE_VALUES, logInAs, recordsOf } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { madeDatamap } from '../datamaps/datamap-requests.ts';
import { type ApplyFixture, actionsOf, countsOf, fileOf, pathsOf, startApplyFixture } from './apply-fixture.ts';

let fixture: ApplyFixture;
let test: TestHost;
let admin: Admin;
let otherTenantAdmin: Admin;
let apply: ApplyFixture['apply'];
let applyYaml: ApplyFixture['applyYaml'];
let changeRecordsOf: ApplyFixture['changeRecordsOf'];
let stateOf: ApplyFixture['stateOf'];

beforeAll(async () => {
  fixture = await startApplyFixture();
  ({ test, admin, otherTenantAdmin, apply, applyYaml, changeRecordsOf, stateOf } = fixture);
}, 120_000);
afterAll(async () => await fixture?.[Symbol.asyncDispose]());

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

  it('has the line of each mistake, in YAML and in JSON, whether the shape is wrong or what it names', async () => {
    const linesOf = ({ body }: ReceivedResponse) =>
      body.details.map(({ path, line }: { path: string; line?: number }) => [path, line]);
    const yaml = [
      '# a file of a person',
      'users:',
      '  - email: a@lines.example',
      '    roles: [nobody]',
      'marketplace_items:',
      '  - id: lines',
      '    title: Lines',
      '    queries:',
      '      - { name: a,',
      '          datamap: no_such_datamap }',
    ].join('\n');
    const unknown = await applyYaml(yaml);
    expect([unknown.status, linesOf(unknown)]).toEqual([
      400,
      [
        ['body.users[0].roles[0]', 4],
        ['body.marketplace_items[0].queries[0].datamap', 10],
      ],
    ]);
    expect(unknown.body.message).toMatch(/^The request is not valid: line 4, body\.users\[0\]\.roles\[0\]: /);
    const shape = await applyYaml('users:\r\n  - email: b\r\n  - roles: []\r\n    colour: red\r\n');
    expect([shape.status, [...linesOf(shape)].sort()]).toEqual([
      400,
      [
        ['body.users[0].email', 2],
        ['body.users[1].colour', 4],
        ['body.users[1].email', 3],
      ],
    ]);
    const json = (text: string) =>
      send(`${test.url}/admin/apply`, {
        method: 'POST',
        headers: { idtoken: admin.idToken, 'content-type': 'application/json' },
        body: text,
      });
    const sent = await json(
      '{\n  "roles": [],\n  "users": [\n    { "email": "c@lines.example",\n      "roles": ["nobody"] }\n  ]\n}',
    );
    expect([sent.status, linesOf(sent)]).toEqual([400, [['body.users[0].roles[0]', 5]]]);
    const wrong = await json('{"users": [\n{"email": "d"}], "x": 1\n}');
    expect([...linesOf(wrong)].sort()).toEqual([
      ['body.users[0].email', 2],
      ['body.x', 2],
    ]);
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
  });

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
    ['a string', 'domains', 400],
    ['nothing', '', 400],
    ['broken YAML', 'domains: [', 400],
  ])('with %s is rejected and changes nothing', async (_, body, status) => {
    const before = await stateOf(test.acme.tenantId);
    const answer = await applyYaml(body);
    expect([answer.status, typeof answer.body.message]).toEqual([status, 'string']);
    expect(await stateOf(test.acme.tenantId)).toBe(before);
  });
});
