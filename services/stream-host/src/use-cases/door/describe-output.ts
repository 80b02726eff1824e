import type { Caller, Column } from '@sluice/contract';
import type { WorkerSource } from '@sluice/query-worker';
import { type EngineResolver, TenantEngines } from '@sluice/tenant-engines';
import type { ClientSession } from '@sluice/trino-protocol';
import { engineNamespace } from '../../door/engine-namespace.ts';

interface DescribeOutputDependencies {
  readonly resolveEngine: EngineResolver;
  readonly admission: WorkerSource;
}

interface DescribedOutput {
  readonly sql: string;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** Returns the columns of a statement from its engine, without running it. Throws the problems of a statement and of its engine. */
export type DescribeOutput = (caller: Caller, output: DescribedOutput) => Promise<readonly Column[]>;

const DESCRIBE_TIME_MS = 15_000;

export function createDescribeOutput({ resolveEngine, admission }: DescribeOutputDependencies): DescribeOutput {
  const engines = new TenantEngines(resolveEngine, { workers: admission, describeTimeMs: DESCRIBE_TIME_MS });
  return async ({ principal }, { sql, session, signal }) => {
    const { timeZone = 'UTC' } = session;
    return (await engines.describe({ sql, ...engineNamespace(session), timeZone, signal }, principal)).columns;
  };
}
