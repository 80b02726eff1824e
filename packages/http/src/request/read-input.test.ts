import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { byIdRoute, guardedRoute, literalRoute } from '../../testing/sample-routes.ts';
import { errorOf, operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const ignoring = operation({ id: 'ignoring', method: 'POST', path: '/ignoring' });

let started: Started;

beforeAll(async () => {
  started = await startApp({
    routes: [
      guardedRoute,
      byIdRoute,
      literalRoute,
      route(ignoring, async ({ headers, cookies, address, baseUrl }) =>
        json(200, { x: headers.get('X-Thing'), c: cookies.get('sid'), address, baseUrl }),
      ),
    ],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

describe('bodies', () => {
  it('return all violations, including the query string', async () => {
    const response = await started.post('/guarded?a=1&b=2', '{"size":0,"nmae":"x","__proto__":{"isAdmin":true}}');
    const { details } = (await response.json()) as { details: { path: string }[] };
    expect(response.status).toBe(400);
    expect(details.map(({ path }) => path).sort()).toEqual([
      'body.__proto__',
      'body.name',
      'body.nmae',
      'body.size',
      'query.a',
      'query.b',
    ]);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each([
    ['{"name":', 'malformed_json'],
    ['', 'malformed_json'],
    ['\u00ff', 'invalid_request'],
    ['[]', 'invalid_request'],
    ['null', 'invalid_request'],
    ['"text"', 'invalid_request'],
    ['{"name":"\ud800"}', undefined],
    [`{"name":${'['.repeat(65)}${']'.repeat(65)}}`, 'malformed_json'],
    [`{"name":"${'['.repeat(200)}\\"${'{'.repeat(200)}"}`, undefined],
  ])('takes %p as %p', async (body, error) => {
    const response = await started.post('/guarded', body === '\u00ff' ? '"\u00ff"' : body);
    if (error === undefined) expect(response.status).toBe(200);
    else expect(await errorOf(response)).toEqual([400, error]);
  });

  it('return 400 with the type that is expected', async () => {
    const response = await started.post('/guarded', '[]');
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      details: [{ path: 'body', message: 'must be of the type object, not array' }],
    });
  });

  it('return 400 with the place of a mistake, and without quoting the body', async () => {
    const response = await started.post('/guarded', '{\n  "name": "secret",\n}');
    expect(await response.json()).toMatchObject({
      error: 'malformed_json',
      message: 'The body is not valid JSON: the mistake is at line 3, column 1.',
    });
  });

  it('return 400 with the path of a repeated key at any depth and in any spelling', async () => {
    const body = String.raw`{"name":"a","name":"b","__proto__":1,"__proto__":2,"tags":["x",{"a":{"b":1,"c":[],"b":2}}],
      "x\"y":1,"x\u0022y":2,"\\":1,"\\":2,"":{"name":"}"},"":[],"\u00e9":1,"é":2}`;
    const response = await started.post('/guarded', body);
    const { error, details } = (await response.json()) as { error: string; details: object[] };
    expect([response.status, error, details]).toEqual([
      400,
      'invalid_request',
      ['name', '__proto__', 'tags[1].a.b', 'x"y', '\\', '', 'é'].map((place) => ({
        path: `body.${place}`,
        message: 'must not be given twice',
      })),
    ]);
    const distinct = '{"name":"name","size":1,"tags":["name","name",{"name":1},{"name":2}]}';
    expect(await (await started.post('/guarded', distinct)).json()).toMatchObject({
      details: [{ path: 'body.tags', message: 'is not a known key' }],
    });
  });

  it('return 400 for bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]);
    const response = await fetch(started.address('/guarded'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', idtoken: 'ann@acme' },
    });
    expect(await errorOf(response)).toEqual([400, 'malformed_json']);
  });

  it('have a limited list of details', async () => {
    const keys = Object.fromEntries(Array.from({ length: 250 }, (_item, index) => [`k${index}`, 1]));
    const response = await started.post('/guarded', JSON.stringify({ name: 'x', ...keys }));
    const { details } = (await response.json()) as { details: unknown[] };
    expect([details.length, details.at(-1)]).toEqual([101, { path: 'request', message: 'has 150 more violations' }]);
  });

  it('return 415 for another media type, another charset or compression', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/jsonx' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
    ]) {
      expect(await errorOf(await started.post('/guarded', '{"name":"x"}', headers))).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    for (const contentType of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
      expect((await started.post('/guarded', '{"name":"x"}', { 'content-type': contentType })).status).toBe(200);
    }
  });

  it('return 413 beyond the limit of the operation, announced or not', async () => {
    const large = `{"name":"${'x'.repeat(4000)}"}`;
    expect(await errorOf(await started.post('/guarded', large))).toEqual([413, 'payload_too_large']);
    const head = ['POST /guarded HTTP/1.1', 'Host: x', 'idtoken: ann@acme', 'Content-Type: application/json'];
    const chunked = `1001\r\n${'x'.repeat(4097)}\r\n0\r\n\r\n`;
    expect((await started.raw([...head, 'Transfer-Encoding: chunked'], chunked)).status).toBe(413);
  });

  it('get 100 Continue only if they will be read', async () => {
    const head = ['POST /guarded HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Expect: 100-continue'];
    const refused = await started.raw([...head, 'Content-Length: 12']);
    expect(refused.text).toMatch(/^HTTP\/1\.1 401/);
    const taken = await started.raw([...head, 'idtoken: ann@acme', 'Content-Length: 12'], '{"name":"x"}');
    expect(taken.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });

  it('are ignored with their Content-Type if the operation has no body', async () => {
    const response = await started.post('/ignoring', 'whatever', {
      'content-type': 'text/strange',
      'x-thing': 'seen',
      cookie: 'a=1; sid="s-1"; sid=2',
    });
    expect(await response.json()).toEqual({ x: 'seen', c: 's-1', address: '127.0.0.1', baseUrl: started.server.url });
  });
});

describe('query strings', () => {
  it('return 400 for repeated and unknown parameters and for NUL', async () => {
    const details = async (query: string) =>
      ((await (await fetch(started.address(`/things/x?${query}`))).json()) as { details: unknown[] }).details;
    expect(await details('page=1&page=2')).toEqual([{ path: 'query.page', message: 'must be given only once' }]);
    expect(await details('page[]=1&__proto__=2&constructor=3')).toHaveLength(3);
    expect(await details('page=%00')).toHaveLength(1);
  });

  it('are ignored by an anonymous GET without parameters', async () => {
    expect((await fetch(started.address('/things/all?utm_source=x'))).status).toBe(200);
  });
});
