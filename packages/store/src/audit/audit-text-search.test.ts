import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foldText } from '@sluice/contract';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase } from '../database/database.ts';
import { searchWordsOf, textCondition } from './audit-text-search.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
}, 120_000);
afterAll(async () => await test.dispose());

/** Assigned since long ago, so that every version of Unicode knows them. */
const LETTERS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hiragana}]/u;

/** Added in Unicode 16. */
const RECENT = /[\u1c89\u1c8a]/;

it('the database folds target and SQL of a record as the hosts fold the words that they search', async () => {
  await using owner = createDatabase({ url: test.ownerUrl, queryTimeoutMs: 60_000 });
  const characters = Array.from({ length: 0x2d00 }, (_, index) => String.fromCodePoint(index + 1)).filter(
    (character) => character <= '\x7f' || (LETTERS.test(character) && !RECENT.test(character)),
  );
  const rows = await owner.withoutTenant((transaction) =>
    transaction.query<{ character: string; folded: string }>(
      `select c as character, audit_text(c, jsonb_build_object('sql', 'x' || c)) as folded from unnest($1::text[]) c`,
      [characters],
    ),
  );
  expect(rows.length).toBeGreaterThan(2000);
  expect(rows.filter(({ character, folded }) => folded !== foldText(`${character}\nx${character}`))).toEqual([]);
});

describe('the words of a search', () => {
  it('are folded, and each is searched once', () => {
    expect(searchWordsOf('  Zürich zurich\u2003STRASSE\n')).toEqual(['zurich', 'strasse']);
  });

  it('are found as they are, whatever they mean in a pattern', async () => {
    await using owner = createDatabase({ url: test.ownerUrl, queryTimeoutMs: 60_000 });
    const isFound = async (words: string, target: string): Promise<unknown> => {
      const conditions = { values: [randomUUID()] as unknown[], terms: [] };
      const condition = textCondition(conditions, searchWordsOf(words), { row: 'r' });
      const [row] = await owner.withoutTenant((transaction) =>
        transaction.query<{ found: boolean }>(
          `select ${condition} as found
           from (select $3::text as target, '{}'::jsonb as metadata, null::uuid as id, null::uuid as query_id, now() as occurred) r`,
          [...conditions.values, target],
        ),
      );
      return row?.found;
    };
    for (const text of ['100%', 'a_b', 'back\\slash', "quo'te", '{a,b}', '"', 'null']) {
      expect([text, await isFound(text, `x${text}x`)]).toEqual([text, true]);
      expect([text, await isFound(text, 'something else')]).toEqual([text, false]);
    }
    expect(await isFound('a_b', 'axb')).toBe(false);
    expect(await isFound('1%0', '100')).toBe(false);
  });
});
