import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { type AuditReader, allPages, auditReader, NULL_FIELDS } from './audit-readers.ts';

const OCCURRED = Date.now() - 86_400_000;

let test: TestHost;
let reader: AuditReader;
beforeAll(async () => {
  test = await startTestHost();
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  // The host checks at its end that every action in the log is documented.
  await test.rows('delete from audit_log where action = $1', [HOSTILE]);
  await test[Symbol.asyncDispose]();
});

const HOSTILE = 'a "b" \\\\"c\\" \u0001\u001f\t\r\n\u007f\u2028 {"timestamp":1} ,{"timestamp":1,"id":"x"} \u{1F600}';

it.each([
  ['LOGIN', '{}', null],
  ['LOGIN', JSON.stringify({ method: HOSTILE }), null],
  ['RUN_QUERY', JSON.stringify({ sql: HOSTILE }), JSON.stringify({ state: 'FINISHED', error: HOSTILE })],
  ['RUN_QUERY', '{}', '{"state": "FINISHED"}'],
  ['RUN_QUERY', '{"sql": "SELECT 1"}', null],
  // Hosts write known actions only, but one odd row must not make the whole log unreadable.
  [HOSTILE, '{}', null],
])('a page returns %s with metadata %j and outcome %j exactly as written', async (...made) => {
  const [action, metadata, outcome] = made;
  const isQuery = action === 'RUN_QUERY';
  const occurred = new Date(OCCURRED);
  const user = `${HOSTILE} ${made.join()}`;
  await test.rows(
    `with made as (insert into audit_log
       (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, address, user_agent)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $5, case when $7 then gen_random_uuid() end, $5, $5) returning id, query_id)
     insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
     select $1, gen_random_uuid(), id, $2, $3, $4, $5, $8::jsonb, query_id from made where $8::jsonb is not null`,
    [test.acme.tenantId, occurred, user, action, HOSTILE, metadata, isQuery, outcome],
  );
  const { body } = await reader.search({ advance_options: { user_name: user.slice(0, 320) } });
  expect(body).toEqual({
    total: 1,
    data: [
      {
        ...NULL_FIELDS,
        timestamp: occurred.getTime(),
        user,
        action,
        target: HOSTILE,
        metadata: { ...JSON.parse(metadata), ...JSON.parse(outcome ?? '{}') },
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        request_id: HOSTILE,
        query_id: isQuery ? expect.stringMatching(/^[0-9a-f-]{36}$/) : null,
        address: HOSTILE,
        user_agent: HOSTILE,
      },
    ],
  });
});

it('pages with long records end at about 1 MiB each, and together contain every record once', async () => {
  const user = 'whose statements are long';
  const lengths = [250_000, 4_000, 250_000, 100, 250_000];
  await test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select $1, gen_random_uuid(), $2::timestamptz + n * interval '1 millisecond', $3, 'LOGIN', n::text,
       jsonb_build_object('text', (select string_agg(md5(n || ' ' || part), '') from generate_series(0, ($4::int[])[1 + n % 5] / 32) part))
     from generate_series(1, 300) n`,
    [test.acme.tenantId, new Date(OCCURRED), user, lengths],
  );
  for (const sort_value of ['asc', 'desc']) {
    const pages = await allPages(reader, { size: 3000, sort_value, advance_options: { user_name: user } });
    const targets = pages.flatMap(({ data }) => data.map(({ target }) => Number(target)));
    const expected = Array.from({ length: 300 }, (_, index) => index + 1);
    expect(targets).toEqual(sort_value === 'asc' ? expected : expected.reverse());
    const bytes = pages.map((page) => JSON.stringify(page.data).length);
    // The last record of a page has up to 250,000 bytes.
    expect(Math.max(...bytes)).toBeLessThan(1.3 * 1024 * 1024);
    expect(pages.length).toBeLessThan(50);
  }
}, 120_000);
