import { readFile } from 'node:fs/promises';
import type { ClientCheck } from './client-check.ts';
import { checkOf } from './client-check.ts';
import type { ClientTarget } from './client-target.ts';
import { answerOf, createNodeClient } from './node-client.ts';

/** Statements of the kinds that tools with a driver send, by tool. */
type ToolStatements = Readonly<Record<string, readonly string[]>>;

const FILE = new URL('tool-statements.json', import.meta.url);
/** A plan names tables by ids that differ in each run, and its estimates are those of the connector. */
const isPlan = (sql: string): boolean => sql.startsWith('EXPLAIN');

/** Sends the statements of business tools, each by npm's `trino-client`. */
export async function runToolStatements(target: ClientTarget): Promise<readonly ClientCheck[]> {
  const tools = JSON.parse(await readFile(FILE, 'utf8')) as ToolStatements;
  const trino = createNodeClient(target);
  const checks: ClientCheck[] = [];
  for (const [tool, statements] of Object.entries(tools)) {
    for (const [index, text] of statements.entries()) {
      const sql = text.replaceAll('{catalog}', target.catalog).replaceAll('{schema}', target.schema);
      const work = async (): Promise<unknown> => {
        const answer = await answerOf(trino, sql);
        return isPlan(sql) ? Object.keys(answer as object) : answer;
      };
      checks.push(await checkOf(`${tool} ${index + 1}`, work));
    }
  }
  return checks;
}
