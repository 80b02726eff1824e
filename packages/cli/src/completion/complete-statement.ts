import type { Connection } from '../context.ts';
import { readLevel } from '../names/read-level.ts';
import { completeSql } from '../shell/complete-sql.ts';
import type { Candidate } from './complete.ts';

/** More names do not help a person to choose. */
const NAMES_MAX = 200;
/** A name leads to others: a statement to its tables, and these to their columns. */
const ROUNDS_MAX = 3;

/**
 * Completes a statement that is an argument of a command. Only the levels of the catalog are read that it names.
 * @param statement - its beginning, up to the cursor
 */
export async function completeStatement(
  connect: () => Promise<Connection>,
  statement: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const levels = new Map<string, readonly string[]>();
  for (let round = 1; ; round += 1) {
    const wanted: (readonly [key: string, path: readonly string[], prefix: string])[] = [];
    const below = (path: readonly string[], prefix: string): readonly string[] => {
      const key = JSON.stringify([path, prefix]);
      if (!levels.has(key)) wanted.push([key, path, prefix]);
      return levels.get(key) ?? [];
    };
    const [words, begun] = completeSql({ below, tables: () => [], settled: async () => undefined }, '', statement);
    if (wanted.length === 0 || round > ROUNDS_MAX) {
      const before = statement.slice(0, statement.length - begun.length);
      return words.map((word) => ({ word: `${before}${word}`, shown: word, isOpen: true }));
    }
    const { client } = await connect().catch(() => ({ client: undefined }));
    await Promise.all(
      wanted.map(async ([key, path, prefix]) => {
        const names =
          client === undefined ? [] : await readLevel(client, path, { prefix, max: NAMES_MAX, signal }).catch(() => []);
        levels.set(
          key,
          names.map(({ name }) => name),
        );
      }),
    );
  }
}
