import { randomUUID } from 'node:crypto';
import { runOnTrino } from '@sluice/engine/testing';
import { until } from '@sluice/testkit';
import { TRINO_URL } from '../hosts/tested-engine.ts';

interface TrinoQuery {
  readonly state: string;
  readonly errorCode: string | null;
  readonly user: string;
  readonly source: string;
  /** Time by the clock of Trino's machine; null while the query runs. */
  readonly endedMs: number | null;
}

/** A statement with a mark to find it in Trino's list of queries. */
export interface MarkedSql {
  readonly mark: string;
  readonly sql: string;
}

export function marked(sql: string): MarkedSql {
  const mark = `/* ${randomUUID()} */`;
  return { mark, sql: `${mark} ${sql}` };
}

/** Returns Trino's entry of a marked statement; undefined when Trino never received it. */
export async function findTrinoQuery(
  { mark }: Pick<MarkedSql, 'mark'>,
  trinoUrl = TRINO_URL,
): Promise<TrinoQuery | undefined> {
  const [row] = await runOnTrino(
    trinoUrl,
    `SELECT state, error_code, "user", source, CAST(to_unixtime("end") * 1000 AS bigint) FROM system.runtime.queries WHERE starts_with(query, '${mark}')`,
  );
  if (row === undefined) return undefined;
  const [state, errorCode, user, source, endedMs] = row as [string, string | null, string, string, number | null];
  return { state, errorCode, user, source, endedMs };
}

export const untilOnTrino = (statement: MarkedSql, withinMs = 20_000): Promise<TrinoQuery> =>
  until(
    async () => {
      const query = await findTrinoQuery(statement);
      return query?.state === 'RUNNING' ? query : undefined;
    },
    { what: 'the statement on Trino', withinMs },
  );

/** Waits until Trino reports the cancel. The lookup is itself a query of Trino, which takes a while. */
export const untilCancelledOnTrino = (statement: MarkedSql, withinMs = 5_000): Promise<TrinoQuery> =>
  until(
    async () => {
      const query = await findTrinoQuery(statement);
      return query?.errorCode === 'USER_CANCELED' ? query : undefined;
    },
    { what: 'the cancel on Trino', withinMs },
  );
