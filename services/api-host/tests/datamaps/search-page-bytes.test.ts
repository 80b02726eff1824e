import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SEARCH_PAGE_BYTES_MAX } from '@sluice/contract';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import { madeDatamap, searchDatamaps } from './datamap-requests.ts';

let test: TestHost;
let steward: LoggedIn;
beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

it.each([
  ['published datamaps', ['publish'], {}],
  ['own drafts', [], { advance_options: { own_drafts: true } }],
])(
  'a page of %s with too many bytes is rejected with the size that is possible, never shortened',
  async (kind, steps, options) => {
    const word = kind.replace(' ', '_');
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push(await madeDatamap(test, steward, { name: `${word}_${number}` }, steps));
    const bytes = Math.ceil(SEARCH_PAGE_BYTES_MAX * 0.4);
    await test.rows(`update facts set description = repeat('x', $2) where fact_id = any ($1)`, [ids, bytes]);
    const search = (body: object) => searchDatamaps(test, steward, { q: word, ...options, ...body });
    const rejected = await search({ size: 3 });
    const message = `must be at most 2 for these records, because a page has at most ${SEARCH_PAGE_BYTES_MAX} bytes`;
    expect([rejected.status, rejected.body.details]).toEqual([400, [{ path: 'body.size', message }]]);
    const [first, second] = [await search({ size: 2 }), await search({ from: 2, size: 2 })];
    expect([first.body.total, second.body.total]).toEqual([3, 3]);
    const found = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(found.toSorted()).toEqual(ids.toSorted());
    await test.rows(`update facts set description = repeat('x', $2) where fact_id = any ($1)`, [
      ids,
      SEARCH_PAGE_BYTES_MAX,
    ]);
    const whole = await search({ size: 1 });
    expect([whole.status, whole.body.data.length]).toEqual([200, 1]);
    await test.rows(`update facts set description = null where fact_id = any ($1)`, [ids]);
  },
);
