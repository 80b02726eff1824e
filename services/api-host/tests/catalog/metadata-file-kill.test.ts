import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { type ImportHost, startImportHost } from '@sluice/testkit/fixtures';
import { endedImport, NDJSON, ndjsonOf, readImport, sendFile } from './metadata-files.ts';

const KILLS = shortOrLong(3, 20);
const BATCHES_BETWEEN_KILLS = 6;
const BATCH = 50;
const OBJECTS = (KILLS + 2) * 2 * BATCHES_BETWEEN_KILLS * BATCH;

let host: ImportHost;
beforeAll(async () => {
  host = await startImportHost(OBJECTS);
}, 240_000);
afterAll(async () => await host?.[Symbol.asyncDispose]());

/** Tags that show an object that is applied twice or in the wrong order: each is added once and removed by the last object. */
const objectsOf = () =>
  Array.from({ length: OBJECTS }, (_, number) => ({
    type: 'TABLE',
    id: `demo.vega.t${number}`,
    description: `text ${number}`,
    add_tags: [`tag ${number}`],
    fields: [{ name: 'c', description: `column of ${number}` }],
  }));

describe('an import whose host is killed again and again', () => {
  it('applies every batch once, and records it once', async () => {
    const { test, steward } = host;
    const { body, text } = await sendFile(host.child, steward, ndjsonOf(objectsOf()), { type: NDJSON });
    if (body.import_id === undefined) throw new Error(text);
    let seen = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const target = seen + BATCHES_BETWEEN_KILLS * BATCH;
      for (;;) {
        seen = (await readImport(host.child, steward, body.import_id)).body.processed_count;
        if (seen >= target) break;
        await wait(5);
      }
      // Each kill hits another point between two commits.
      await wait((kill * 7) % 40);
      await host.restart();
    }
    const status = await endedImport(host.child, steward, body.import_id, 240_000);
    expect(status).toMatchObject({
      state: 'FINISHED',
      processed_count: OBJECTS,
      success_count: OBJECTS,
      changed_count: OBJECTS,
      failure_count: 0,
    });
    expect(status.attempts).toBeGreaterThan(KILLS / 2);

    const wrong = await test.rows(
      `select t.name from catalog_tables t join facts f using (tenant_id, fact_id)
        left join fact_fields x on x.tenant_id = f.tenant_id and x.fact_id = f.fact_id and x.name = 'c'
      where t.name ~ '^t[0-9]+$' and (f.version <> 2 or f.description <> 'text ' || substr(t.name, 2)
        or f.tags <> array['tag ' || substr(t.name, 2)] or x.description is distinct from 'column of ' || substr(t.name, 2))`,
    );
    expect(wrong).toEqual([]);
    const records = await test.rows<{ batch: number; times: string; changes: string }>(
      `select (metadata ->> 'batch')::int as batch, count(*) as times,
        sum((select count(*) from jsonb_array_elements(metadata -> 'objects') o where jsonb_array_length(o -> 'changes') = 3)) as changes
      from audit_log where metadata ->> 'import_id' = $1 group by 1 order by 1`,
      [body.import_id],
    );
    const expected = Array.from({ length: OBJECTS / BATCH }, (_, batch) => ({
      batch,
      times: '1',
      changes: String(BATCH),
    }));
    expect(records).toEqual(expected);
  }, 900_000);
});
