import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { send } from '@sluice/testkit';
import {
  auditRecords,
  createDomain,
  get,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { startApiHost } from '../../src/index.ts';

/** Two hosts on one database: ordering within one process does not protect against the other. */
let test: TestHost;
let other: TestHost;
let steward: LoggedIn;
const silent = createLogger({ service: 'test', level: 'error', destination: { write: () => undefined } });

beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  const host = await startApiHost({ environment: test.environment, overrides: { log: silent } });
  other = { ...test, host, url: host.url };
}, 120_000);
afterAll(async () => {
  await other.host[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const table = (name: string, changes: object = {}) => ({ type: 'TABLE', id: `demo.vega.${name}`, ...changes });
const counts = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('concurrent imports', () => {
  it('lose nothing when fifty add to one object', async () => {
    const id = await seedTable(test, test.acme, { name: 'hot', columns: ['a'] });
    const answers = await Promise.all(
      counts(50).map((index) =>
        importMetadata(
          index % 2 === 0 ? test : other,
          steward,
          importOf(
            table('hot', { add_tags: [`tag ${index}`], fields: [{ name: 'a', add_tags: [`field tag ${index}`] }] }),
          ),
        ),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.success_count])).toEqual(counts(50).map(() => [200, 1]));
    const stored = await storedMetadata(test, id);
    expect(stored.version).toBe('51');
    expect([...stored.tags].sort()).toEqual(
      counts(50)
        .map((index) => `tag ${index}`)
        .sort(),
    );
    expect(stored.fields[0]?.tags).toHaveLength(50);
    const befores = await Promise.all(answers.map(async (answer) => (await auditRecords(test, answer))[0]?.metadata));
    // Each record starts from the result of the previous one, so the records form one chain.
    const sizes = befores
      .map(({ objects }) => objects[0].changes[0].before.length)
      .sort((a: number, b: number) => a - b);
    expect(sizes).toEqual(counts(50));
  });

  it('do not deadlock when fifty name the same objects in every order', async () => {
    const ids = await Promise.all(counts(10).map((index) => seedTable(test, test.acme, { name: `many_${index}` })));
    const domain = await createDomain(test, steward, 'Shared');
    const answers = await Promise.all(
      counts(50).map((index) => {
        const order = counts(10).toSorted((a, b) => ((a * 7 + index) % 10) - ((b * 7 + index) % 10));
        const objects = order.map((each) =>
          table(`many_${each}`, { add_tags: [`tag ${index}`], add_domains: [domain] }),
        );
        return importMetadata(index % 2 === 0 ? test : other, steward, importOf(...objects));
      }),
    );
    expect(answers.map(({ status, body }) => [status, body.success_count])).toEqual(counts(50).map(() => [200, 10]));
    for (const id of ids) {
      const stored = await storedMetadata(test, id);
      expect([stored.tags.length, stored.domains]).toEqual([50, [domain]]);
    }
  });

  it('either use a domain that is removed concurrently and keep it, or are rejected', async () => {
    await seedTable(test, test.acme, { name: 'contested' });
    for (const round of counts(10)) {
      const domain = await createDomain(test, steward, `Contested ${round}`);
      const [imported, removed] = await Promise.all([
        importMetadata(test, steward, importOf(table('contested', { domains: [domain] }))),
        send(`${other.url}/domains/${domain}`, { method: 'DELETE', headers: { idtoken: steward.idToken } }),
      ]);
      const isUsed = imported.body.success_count === 1;
      expect([imported.status, removed.status]).toEqual([200, isUsed ? 409 : 204]);
      if (!isUsed) expect(imported.body.metadata_results[0].error_message).toContain('no domain');
    }
  });

  it('with one Idempotency-Key are applied once on any host, and the key is rejected with another body', async () => {
    const id = await seedTable(test, test.acme, { name: 'once_of_two', columns: ['a'] });
    const body = importOf(table('once_of_two', { add_tags: ['t'], description: 'd' }));
    const key = { 'idempotency-key': 'of-two-hosts' };
    const answers = await Promise.all(
      counts(10).map((index) => importMetadata(index % 2 === 0 ? test : other, steward, body, key)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    for (const host of [test, other]) {
      const again = await importMetadata(host, steward, body, key);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
        200,
        answers[0]?.text,
        'true',
      ]);
      const changed = importOf(table('once_of_two', { add_tags: ['t'], description: 'other' }));
      const refused = await importMetadata(host, steward, changed, key);
      expect([refused.status, refused.body.error]).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await storedMetadata(test, id)).toMatchObject({ version: '2', tags: ['t'], description: 'd' });
  });
});

describe('an import with If-Match', () => {
  it('changes the object that was read, and returns 412 and changes nothing once somebody else has changed it', async () => {
    const id = await seedTable(test, test.acme, { name: 'read_before', columns: ['a'] });
    const read = await get(test, steward, '/catalog/demo/vega/read_before');
    const match = { 'if-match': String(read.headers['etag']) };
    const send = (changes: object, on = test) =>
      importMetadata(on, steward, importOf(table('read_before', changes)), match);
    expect((await send({ fields: [{ name: 'a', description: 'mine' }] })).status).toBe(200);
    const late = await send({ description: 'late' }, other);
    expect([late.status, late.body.error]).toEqual([412, 'precondition_failed']);
    expect(await storedMetadata(test, id)).toMatchObject({ description: null, version: '2' });
    const again = await get(test, steward, '/catalog/demo/vega/read_before');
    expect(again.headers['etag']).not.toBe(read.headers['etag']);
  });

  it('lets exactly one of ten change what all have read', async () => {
    await seedTable(test, test.acme, { name: 'raced' });
    const { headers } = await get(test, steward, '/catalog/demo/vega/raced');
    const answers = await Promise.all(
      counts(10).map((index) =>
        importMetadata(
          index % 2 === 0 ? test : other,
          steward,
          importOf(table('raced', { description: `of ${index}` })),
          { 'if-match': String(headers['etag']) },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  });

  it('takes the tag of a datamap, and reports an object that does not exist as without it', async () => {
    const id = await seedDatamap(test, test.acme, { ownerId: steward.id });
    const { headers } = await get(test, steward, `/datamap/${id}`);
    const match = { 'if-match': String(headers['etag']) };
    const change = (of: string, description: string) => importOf({ type: 'DATAMAP', id: of, description });
    expect((await importMetadata(test, steward, change(id, 'one'), match)).status).toBe(200);
    expect((await importMetadata(test, steward, change(id, 'two'), match)).status).toBe(412);
    expect((await importMetadata(test, steward, importOf(table('nowhere', {})), match)).status).toBe(404);
  });

  it('is rejected for two objects, and for a tag of another form', async () => {
    const two = await importMetadata(test, steward, importOf(table('a'), table('b')), { 'if-match': '"1"' });
    expect([two.status, two.body.details]).toEqual([
      400,
      [{ path: 'header.if-match', message: 'needs a request about one object' }],
    ]);
    for (const tag of ['"x"', 'W/"1"', '1'])
      expect((await importMetadata(test, steward, importOf(table('a')), { 'if-match': tag })).status).toBe(412);
  });
});
