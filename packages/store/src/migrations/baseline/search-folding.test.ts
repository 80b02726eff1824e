import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { caselessKey } from '@sluice/contract';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase } from '../../database/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
}, 120_000);
afterAll(async () => await test.dispose());

it('folds lower-case text in the database as the hosts fold it', async () => {
  await using owner = createDatabase({ url: test.ownerUrl, queryTimeoutMs: 60_000 });
  const characters = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint > 0 && (codePoint < 0xd800 || codePoint > 0xdfff))
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter(
      (character) =>
        character.toLowerCase() === character && !/[\p{C}\p{Script=Han}\p{Script=Hangul}]/u.test(character),
    );
  const rows = await owner.withoutTenant((transaction) =>
    transaction.query<{ character: string; folded: string }>(
      `select c as character, normalize(search_fold(normalize(c, NFD)), NFC) as folded from unnest($1::text[]) c`,
      [characters],
    ),
  );
  expect(rows).toHaveLength(characters.length);
  expect(rows.filter(({ character, folded }) => folded !== caselessKey(character))).toEqual([]);
});
