import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { caseSeed, shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { ALLOWED_STATEMENTS } from '../../../testing/corpus/allowed-statements.ts';
import { guardVerdicts } from '../../../testing/corpus/guard-verdicts.ts';
import { mutants } from '../../../testing/corpus/mutants.ts';
import { createShop, type Shop } from '../../../testing/corpus/shop.ts';
import { checkStatement } from '../checked-statement.ts';
import { DuckDb } from '../instance.ts';
import type { Session } from '../session/session.ts';

const MUTANTS = shortOrLong(2_000, 20_000);
const BATCH = 500;

let shop: Shop;
let duckDb: DuckDb;
let session: Session;
beforeAll(async () => {
  shop = await createShop();
  duckDb = await DuckDb.open(shop.profile);
  session = await duckDb.connect('UTC');
});
afterAll(async () => {
  session[Symbol.dispose]();
  duckDb[Symbol.dispose]();
  await shop[Symbol.asyncDispose]();
});

const verdictsOf = async (statements: readonly string[]) => {
  const verdicts = await guardVerdicts(statements, { connection: session.connection, names: duckDb.names });
  return statements.map((sql, index) => ({ sql, verdict: verdicts[index] }));
};

/** Returns the error of the whole check, which runs nothing; the statement must not pass. */
async function rejectionOf(sql: string): Promise<ProblemError> {
  const checked = await checkStatement(duckDb, session, { sql }).then(
    () => new Error(`It may run: ${sql}`),
    (thrown: unknown) => thrown,
  );
  if (checked instanceof ProblemError) return checked;
  throw checked;
}

const REJECTIONS = /^(?:read_only|not_supported|\w+_not_found|semantic_error|type_error|syntax_error)$/;

describe('the guard with a corpus of statements', () => {
  it(`accepts none of ${MUTANTS} forbidden statements, and the engine reveals nothing for those that are left to it`, async () => {
    const seed = caseSeed();
    const corpus = fc.sample(mutants(shop.secretFile), { numRuns: MUTANTS, seed });
    expect(new Set(corpus).size).toBeGreaterThan(MUTANTS * 0.8);
    const left: string[] = [];
    for (let from = 0; from < corpus.length; from += BATCH) {
      const decided = await verdictsOf(corpus.slice(from, from + BATCH));
      const passed = decided.filter(({ verdict }) => verdict === 'passed').map(({ sql }) => sql);
      expect({ seed, passed }).toEqual({ seed, passed: [] });
      left.push(...decided.filter(({ verdict }) => verdict === 'left').map(({ sql }) => sql));
    }
    expect(left.length).toBeLessThan(MUTANTS * 0.05); // a rejection by the parser says little about the guard
    for (const sql of left) {
      const { code, message } = await rejectionOf(sql);
      expect({ seed, sql, code }).toEqual({ seed, sql, code: expect.stringMatching(REJECTIONS) });
      for (const secret of ['XYZZY', 'combination', 'lock_configuration', 'allowed_directories']) {
        if (!sql.includes(secret)) expect(message).not.toContain(secret);
      }
    }
  }, 120_000);

  it('decides the same as for one statement after the other', async () => {
    const corpus = [...fc.sample(mutants(shop.secretFile), { numRuns: 100 }), ...ALLOWED_STATEMENTS.slice(0, 100)];
    for (const { sql, verdict } of await verdictsOf(corpus)) {
      const outcome = await checkStatement(duckDb, session, { sql }).then(
        (checked) => {
          checked.prepared[Symbol.dispose]();
          return 'passed';
        },
        ({ code }: ProblemError) => (code === 'read_only' ? 'rejected' : 'left'),
      );
      if (verdict !== 'left') expect([sql, outcome]).toEqual([sql, verdict]);
      else expect([sql, outcome]).not.toEqual([sql, 'passed']);
    }
  });
});
