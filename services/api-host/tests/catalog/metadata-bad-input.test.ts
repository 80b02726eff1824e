import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { importMetadata, importOf, type LoggedIn, logInAs, seedTable, storedMetadata } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';

let test: TestHost;
let steward: LoggedIn;
let factId: string;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  factId = await seedTable(test, test.acme, { name: 't', columns: ['a', 'b'] });
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const VALID = { type: 'TABLE', id: 'demo.vega.t', description: 'must never be written' };
const with_ = (changes: object) => importOf({ ...VALID, ...changes });
const field = (changes: object) => with_({ fields: [{ name: 'a', ...changes }] });
const AT = 'body.metadata_objects[0]';

const breaches: [string, unknown, string[]][] = [
  ['no metadata_objects', {}, ['body.metadata_objects']],
  ['metadata_objects null', { metadata_objects: null }, ['body.metadata_objects']],
  ['an object for the array', { metadata_objects: VALID }, ['body.metadata_objects']],
  ['no objects', importOf(), ['body.metadata_objects']],
  ['51 objects', importOf(...Array.from({ length: 51 }, () => VALID)), ['body.metadata_objects']],
  ['an array as body', [VALID], ['body']],
  ['null as body', null, ['body']],
  ['an object that is a string', importOf('x' as unknown as object), [AT]],
  ['an object that is null', { metadata_objects: [null] }, [AT]],
  ['an object that is an array', { metadata_objects: [[]] }, [AT]],
  ['no type', importOf({ id: 'demo.vega.t' }), [`${AT}.type`]],
  ['an unknown type', with_({ type: 'COLUMN' }), [`${AT}.type`]],
  ['a type in lower case', with_({ type: 'table' }), [`${AT}.type`]],
  ['a number as type', with_({ type: 1 }), [`${AT}.type`]],
  ['no id', importOf({ type: 'TABLE' }), [`${AT}.id`]],
  ['an empty id', with_({ id: '' }), [`${AT}.id`]],
  ['a blank id', with_({ id: '  ' }), [`${AT}.id`]],
  ['a number as id', with_({ id: 7 }), [`${AT}.id`]],
  ['an id with NUL', with_({ id: 'demo.vega.t\0' }), [`${AT}.id`]],
  ['an id with half a surrogate pair', with_({ id: 'demo.vega.\ud800' }), [`${AT}.id`]],
  ['two fields of one name', with_({ fields: [{ name: 'a' }, { name: 'a' }] }), [`${AT}.fields[1].name`]],
  ['a field without name', with_({ fields: [{ description: 'x' }] }), [`${AT}.fields[0].name`]],
  ['a field with an empty name', with_({ fields: [{ name: '' }] }), [`${AT}.fields[0].name`]],
  ['a field with null as name', with_({ fields: [{ name: null }] }), [`${AT}.fields[0].name`]],
  ['a field that is a string', with_({ fields: ['a'] }), [`${AT}.fields[0]`]],
  ['fields null', with_({ fields: null }), [`${AT}.fields`]],
  ['fields an object', with_({ fields: { a: {} } }), [`${AT}.fields`]],
  ['display_name null', with_({ type: 'DATAMAP', display_name: null }), [`${AT}.display_name`]],
  ['display_name empty', with_({ type: 'DATAMAP', display_name: '' }), [`${AT}.display_name`]],
  ['display_name blank', with_({ type: 'DATAMAP', display_name: ' \t' }), [`${AT}.display_name`]],
  ['display_name of a table', with_({ display_name: 'x' }), [`${AT}.display_name`]],
  ['tags and add_tags', with_({ tags: [], add_tags: [] }), [`${AT}.add_tags`]],
  ['tags and both', with_({ tags: [], add_tags: [], remove_tags: [] }), [`${AT}.add_tags`, `${AT}.remove_tags`]],
  ['domains and remove_domains', with_({ domains: [], remove_domains: [] }), [`${AT}.remove_domains`]],
  ['domains and add_domains', with_({ domains: [], add_domains: ['x'] }), [`${AT}.add_domains`]],
  ['tags and add_tags of a field', field({ tags: [], add_tags: ['x'] }), [`${AT}.fields[0].add_tags`]],
  ['tags null', with_({ tags: null }), [`${AT}.tags`]],
  ['add_tags null', with_({ add_tags: null }), [`${AT}.add_tags`]],
  ['tags of a field null', field({ tags: null }), [`${AT}.fields[0].tags`]],
  ['domains null', with_({ domains: null }), [`${AT}.domains`]],
  ['tags a string', with_({ tags: 'x' }), [`${AT}.tags`]],
  ['a tag that is a number', with_({ tags: ['x', 1] }), [`${AT}.tags[1]`]],
  ['a tag that is null', with_({ tags: [null] }), [`${AT}.tags[0]`]],
  ['an empty tag', with_({ tags: [''] }), [`${AT}.tags[0]`]],
  ['a blank tag', with_({ tags: ['  '] }), [`${AT}.tags[0]`]],
  ['a tag of 257 characters', with_({ tags: ['x'.repeat(257)] }), [`${AT}.tags[0]`]],
  ['1,001 tags', with_({ tags: Array.from({ length: 1001 }, (_, index) => String(index)) }), [`${AT}.tags`]],
  ['a tag with NUL', with_({ add_tags: ['a\0b'] }), [`${AT}.add_tags[0]`]],
  ['a description that is a number', with_({ description: 5 }), [`${AT}.description`]],
  ['a description with NUL', field({ description: '\0' }), [`${AT}.fields[0].description`]],
  ['a description of 100,001 characters', with_({ description: 'x'.repeat(100_001) }), [`${AT}.description`]],
  ['an unknown key', with_({ colour: 'red' }), [`${AT}.colour`]],
  ['an unknown key of a field', field({ type: 'varchar' }), [`${AT}.fields[0].type`]],
  ['an unknown key of the body', { ...with_({}), force: true }, ['body.force']],
  ['dry_run as text', { ...with_({}), dry_run: 'true' }, ['body.dry_run']],
  ['dry_run null', { ...with_({}), dry_run: null }, ['body.dry_run']],
];

describe('an invalid import returns 400 with the path of each problem, and changes nothing', () => {
  it.each(breaches)('%s', async (_name, body, paths) => {
    const answer = await importMetadata(test, steward, body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(answer.body.details.every(({ message }: { message: string }) => message !== '')).toBe(true);
    expect((await storedMetadata(test, factId)).version).toBe('1');
  });

  it('every problem at once, each once', async () => {
    const ofObjects = breaches.flatMap(([, body, paths]) => {
      const objects = (body as { metadata_objects?: unknown } | null)?.metadata_objects;
      if (!Array.isArray(objects) || objects.length !== 1 || !paths.every((path) => path.startsWith(AT))) return [];
      return [{ object: objects[0], paths }];
    });
    const together = ofObjects.slice(0, 49);
    const worst = {
      type: 'x',
      id: '',
      tags: null,
      add_tags: [''],
      domains: [1],
      add_domains: [],
      display_name: null,
      key: 1,
      fields: [{ name: 'a' }, { name: 'a', tags: 1, add_tags: [], key: 2 }, { tags: [], remove_tags: [] }],
    };
    const { status, body } = await importMetadata(
      test,
      steward,
      importOf(...together.map(({ object }) => object), worst),
    );
    expect(status).toBe(400);
    const moved = together.flatMap(({ paths }, index) =>
      paths.map((path) => path.replace('metadata_objects[0]', `metadata_objects[${index}]`)),
    );
    const at = `body.metadata_objects[${together.length}]`;
    const ofWorst = [
      'type',
      'id',
      'tags',
      'add_tags[0]',
      'add_tags',
      'domains[0]',
      'add_domains',
      'display_name',
      'key',
      'fields[1].tags',
      'fields[1].add_tags',
      'fields[1].key',
      'fields[1].name',
      'fields[2].name',
      'fields[2].remove_tags',
    ].map((path) => `${at}.${path}`);
    const paths: string[] = body.details.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual([...moved, ...ofWorst].toSorted());
  });

  it('are reported without a limit, for a hundred invalid objects', async () => {
    const objects = Array.from({ length: 60 }, () => ({ type: 1, id: 1, tags: 1 }));
    const { body } = await importMetadata(test, steward, importOf(...objects));
    expect(body.details).toHaveLength(181);
  });
});

describe('a body with too many values', () => {
  it('is rejected immediately', async () => {
    const fields = Array.from({ length: 1500 }, () => ({ tags: Array.from({ length: 200 }, () => 1) }));
    const { status, body } = await importMetadata(test, steward, with_({ fields }));
    expect([status, body.details]).toEqual([400, [{ path: 'body', message: 'must not hold more than 300000 values' }]]);
  });
});

describe('unusual valid input', () => {
  const seed = (name: string) => seedTable(test, test.acme, { name, columns: ['a', '__proto__'] });

  it('is accepted: an object without a change, empty lists, a field without a change', async () => {
    const unchanged = await seed('unchanged');
    const { status, body } = await importMetadata(
      test,
      steward,
      importOf(
        { type: 'TABLE', id: 'demo.vega.unchanged', fields: [], add_tags: [], remove_domains: [] },
        { type: 'TABLE', id: 'demo.vega.unchanged', fields: [{ name: 'a' }] },
      ),
    );
    expect([status, body.success_count]).toEqual([200, 2]);
    expect(body.metadata_results.map((result: { fields_processed: boolean }) => result.fields_processed)).toEqual([
      false,
      true,
    ]);
    expect((await storedMetadata(test, unchanged)).version).toBe('1');
  });

  it('is stored exactly: names of prototypes, quotes, every plane of Unicode', async () => {
    const tags = ['__proto__', 'constructor', "'; drop table facts; --", '🛩️', '\u202e', '{"a":1}', 'a,b', '\\'];
    const hostile = await seed('hostile');
    const body = `{"metadata_objects":[{"type":"TABLE","id":"demo.vega.hostile","description":${JSON.stringify(tags.join('\n'))},"tags":${JSON.stringify(tags)},"fields":[{"name":"__proto__","description":"__proto__"}]}]}`;
    const answer = await send(`${test.url}/metadata/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', idtoken: steward.idToken },
      body,
    });
    expect(answer.body.success_count).toBe(1);
    expect(await storedMetadata(test, hostile)).toMatchObject({
      description: tags.join('\n'),
      tags,
      fields: [{ name: '__proto__', description: '__proto__', tags: [] }],
    });
    expect(({} as Record<string, unknown>)['description']).toBeUndefined();
  });

  it('is accepted up to the limits', async () => {
    const large = await seed('large');
    const description = '漢'.repeat(100_000);
    const tags = Array.from({ length: 1000 }, (_, index) => `${'🛩'.repeat(252)}${String(index).padStart(4)}`);
    const object = { type: 'TABLE', id: 'demo.vega.large', description, tags };
    const { status, body } = await importMetadata(test, steward, importOf(object));
    expect([status, body.success_count]).toEqual([200, 1]);
    const stored = await storedMetadata(test, large);
    expect([stored.description === description, stored.tags.length]).toEqual([true, 1000]);
  });
});

describe('a body that is not an import', () => {
  const sent = (body: string, headers: Record<string, string> = {}) =>
    send(`${test.url}/metadata/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', idtoken: steward.idToken, ...headers },
      body,
    });

  it('returns 400 for malformed JSON, 413 over 16 MiB, 415 for another type, 405 for another method', async () => {
    expect((await sent('{')).body.error).toBe('malformed_json');
    expect((await sent('')).body.error).toBe('malformed_json');
    expect((await sent('['.repeat(65) + ']'.repeat(65))).body.error).toBe('malformed_json');
    const long = JSON.stringify(with_({ description: 'x'.repeat(17 * 1024 * 1024) }));
    expect((await sent(long)).status).toBe(413);
    expect((await sent('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('returns 400 with an invalid Idempotency-Key', async () => {
    for (const key of ['', ' ', 'ä', 'x'.repeat(256), 'a b']) {
      const headers = { idtoken: steward.idToken, 'idempotency-key': key };
      const answer = await postJson(`${test.url}/metadata/import`, with_({}), headers);
      expect([answer.status, answer.body.details?.[0].path]).toEqual([400, 'header.idempotency-key']);
    }
  });
});
