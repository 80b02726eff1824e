import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { type AdminTest, HOSTILE_STRINGS, HOSTILE_VALUES, recordsOf } from '@sluice/testkit/fixtures';
import type { AdminResource, Listed } from './admin-resource.ts';

/** Versions that no object of these tests has, or that are not a strong entity tag. */
const STALE_TAGS = ['"3"', 'W/"2"', '2', 'x', '"x"', '"1", "2"'];
const RACERS = 8;

/** Adds the tests that hold for every resource of the administration. The fixture has an admin in each of two tenants. */
export function describeAdminResource(fixture: AdminTest, resource: AdminResource): void {
  describe(`a ${resource.what}`, () => {
    describeLife(fixture, resource);
    describeConflicts(fixture, resource);
  });
  describe(`invalid requests about a ${resource.what}`, () => {
    describeViolations(fixture, resource);
    describeDenials(fixture, resource);
  });
  if (resource.listed !== undefined) describeList(fixture, resource.path, resource.listed);
}

const ifMatchOf = (version: string | undefined) => (version === undefined ? {} : { ifMatch: version });

/** Requests of the admin about the objects of a resource. */
function requestsOf(fixture: AdminTest, resource: AdminResource) {
  const { path } = resource;
  const create = (body: unknown) => fixture.admin.ask({ method: 'POST', path, body });
  return {
    create,
    get: (place: string) => fixture.admin.ask({ path: place }),
    change: (place: string, body: unknown, version?: string) =>
      fixture.admin.ask({ method: 'PUT', path: place, body, ...ifMatchOf(version) }),
    remove: (place: string, version?: string) =>
      fixture.admin.ask({ method: 'DELETE', path: place, ...ifMatchOf(version) }),
    async createNew() {
      const body = await resource.newBody();
      const made = await create(body);
      expect(made.status).toBe(201);
      return { body, place: resource.pathOf(made.body), etag: made.headers.etag ?? '' };
    },
  };
}

const sortedStatuses = (answers: readonly ReceivedResponse[]) => answers.map(({ status }) => status).sort();

function describeLife(fixture: AdminTest, resource: AdminResource): void {
  const { create, get, change, remove } = requestsOf(fixture, resource);

  it('is created, read, changed and removed, each with an audit record of the values before and after', async () => {
    const life = await resource.life();
    const made = await create(life.body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual(life.created(made.body));
    const place = resource.pathOf(made.body);
    expect(made.headers.location).toBe(`${fixture.base}${place}`);
    await life.afterCreation?.(made.body);
    const read = await get(place);
    const shown = (life.shown ?? life.created)(made.body);
    expect([read.status, read.body, read.headers.etag]).toEqual([200, shown, made.headers.etag]);
    await life.afterRead?.(made.body);
    const changed = await change(place, life.change);
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(life.changed)]);
    expect([changed.body.id, changed.body.created_ts]).toEqual([made.body.id, made.body.created_ts]);
    expect(changed.headers.etag).not.toBe(made.headers.etag);
    const versions = [made.headers.etag, changed.headers.etag];
    expect(versions).toEqual(resource.versions ?? versions);
    const removed = await remove(place);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await get(place)).status).toBe(404);
    await life.afterRemoval?.(made.body);
    const answers = [made, read, changed, removed];
    const records = await Promise.all(answers.map((answer) => recordsOf(fixture.test, answer)));
    expect(records).toEqual(life.records(made.body).map((record) => [record]));
  });
}

function describeConflicts(fixture: AdminTest, resource: AdminResource): void {
  const { create, get, change, remove, createNew } = requestsOf(fixture, resource);

  it('exists once in its tenant, also under concurrent requests', async () => {
    const { body } = await createNew();
    const again = await create(body);
    expect([again.status, again.body.error, await recordsOf(fixture.test, again)]).toEqual([409, 'conflict', []]);
    const raced = await resource.newBody();
    const race = await Promise.all(Array.from({ length: RACERS }, () => create(raced)));
    expect(sortedStatuses(race)).toEqual([201, ...Array(RACERS - 1).fill(409)]);
  });

  it('rejects a change or removal that is based on an older version', async () => {
    const { place, etag: first } = await createNew();
    const [one, two, three] = resource.changes();
    const changed = await change(place, one, first);
    expect(changed.status).toBe(200);
    const { etag: second = '' } = changed.headers;
    for (const ifMatch of [first, ...STALE_TAGS]) {
      const refused = await change(place, two, ifMatch);
      expect([ifMatch, refused.status, refused.body.error]).toEqual([ifMatch, 412, 'precondition_failed']);
      expect((await remove(place, ifMatch)).status).toBe(412);
      for (const request of resource.versioned?.(place) ?? []) {
        expect((await fixture.admin.ask({ ...request, ifMatch })).status).toBe(412);
      }
    }
    expect((await get(place)).headers.etag).toBe(second);
    const race = await Promise.all(
      Array.from({ length: RACERS }, (_, index) => change(place, index % 2 === 0 ? two : three, second)),
    );
    expect(sortedStatuses(race)).toEqual([200, ...Array(RACERS - 1).fill(412)]);
    const { etag: last } = (await get(place)).headers;
    expect((await remove(place, last)).status).toBe(204);
  });
}

function describeViolations(fixture: AdminTest, resource: AdminResource): void {
  const { path } = resource;
  const { create, get, change, createNew } = requestsOf(fixture, resource);

  it('return 400 with every problem, and write no record', async () => {
    const { creations, changes, queries } = await resource.invalid();
    for (const [body, paths] of creations) {
      const answer = await create(body);
      const found = answer.body.details?.map((detail: { path: string }) => detail.path);
      expect([answer.status, found]).toEqual([400, paths]);
      expect(await recordsOf(fixture.test, answer)).toEqual([]);
    }
    const { place } = await createNew();
    for (const body of changes) expect([body, (await change(place, body)).status]).toEqual([body, 400]);
    for (const query of queries) expect([query, (await get(`${path}?${query}`)).status]).toEqual([query, 400]);
  });

  it('never return 5xx, whatever the body', async () => {
    const { place } = await createNew();
    const changeable = [...new Set(resource.changes().flatMap((body) => Object.keys(body)))];
    for (const value of HOSTILE_VALUES) {
      for (const key of new Set([...Object.keys(await resource.newBody()), ...changeable])) {
        expect((await create({ ...(await resource.newBody()), [key]: value })).status).toBeLessThan(500);
      }
      for (const key of changeable) expect((await change(place, { [key]: value })).status).toBeLessThan(500);
    }
  });

  it('never return 5xx, whatever the path or the query', async () => {
    for (const text of HOSTILE_STRINGS.filter((each) => each.isWellFormed())) {
      const part = encodeURIComponent(text).slice(0, 4000);
      const hostilePath = resource.pathWith?.(`${part}x`) ?? `${path}/${part}x`;
      for (const method of ['GET', 'DELETE']) {
        expect((await fixture.admin.ask({ method, path: hostilePath })).status).toBeLessThan(500);
      }
      for (const name of resource.textParameters) {
        expect((await get(`${path}?${name}=${part}`)).status).toBeLessThan(500);
      }
    }
  });
}

function describeDenials(fixture: AdminTest, resource: AdminResource): void {
  const { what, path } = resource;
  const { get, createNew } = requestsOf(fixture, resource);

  it('return 403 without the permission, and 404 for missing objects and objects of other tenants', async () => {
    const { place } = await createNew();
    const { body: before } = await get(place);
    const [body] = resource.changes();
    const read = { path: place };
    const put = { method: 'PUT', path: place, body };
    const writes = [put, ...(resource.versioned?.(place) ?? []), { method: 'DELETE', path: place }];
    const creation = { method: 'POST', path, body: await resource.newBody() };
    await fixture.expectDenied([...(resource.isPublic === true ? [] : [{ path }, read]), creation, ...writes]);
    const places = [
      [fixture.otherTenantAdmin.ask, place],
      ...resource.missing(place).map((missing) => [fixture.admin.ask, missing] as const),
    ] as const;
    for (const [ask, missing] of places) {
      for (const request of [read, ...writes]) {
        const answer = await ask({ ...request, path: request.path.replace(place, missing) });
        expect([answer.status, answer.body.message]).toEqual([404, `There is no such ${what}.`]);
      }
    }
    expect((await get(place)).body).toEqual(before);
  });
}

/** Creates the objects in the other tenant, so that the rest of the file adds none. */
function describeList(fixture: AdminTest, path: string, { bodies, keys, keyOf, isPaged }: Listed): void {
  beforeAll(async () => {
    for (const body of bodies) {
      expect((await fixture.otherTenantAdmin.ask({ method: 'POST', path, body })).status).toBe(201);
    }
  });

  it('the list is ordered, in pages with a total, within the tenant', async () => {
    const { ask } = fixture.otherTenantAdmin;
    const listOf = async (query: string, as = ask) => (await as({ path: `${path}${query}` })).body;
    const all = await listOf(isPaged ? '?size=1000' : '');
    const listed: string[] = all.data.map(keyOf);
    expect(listed.filter((key) => keys.includes(key))).toEqual(keys);
    const own = await listOf(isPaged ? '?size=1000' : '', fixture.admin.ask);
    expect(own.data.map(keyOf).filter((key: string) => keys.includes(key))).toEqual([]);
    if (!isPaged) return;
    expect(all.total).toBe(listed.length);
    const page = await listOf('?from=1&size=1');
    expect([page.total, page.data.map(keyOf)]).toEqual([all.total, [listed[1]]]);
    const after = await listOf(`?from=${all.total + 6}`);
    expect([after.total, after.data]).toEqual([all.total, []]);
  });
}
