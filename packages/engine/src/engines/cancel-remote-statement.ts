import type { Statement } from '../engine.ts';
import { cancelAbandonedStatement } from '../trino/cancel-abandoned-statement.ts';
import type { EngineSpec } from './engine-spec.ts';

/** A statement whose worker was killed, and the last address that its engine reported (`EngineOptions.onRemoteStatement`). */
interface AbandonedRemoteStatement {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly url: string;
}

/** Cancels a statement that continues outside its killed worker. Never rejects. */
export async function cancelRemoteStatement({ engine, statement, url }: AbandonedRemoteStatement): Promise<void> {
  if (engine.kind === 'trino') await cancelAbandonedStatement({ profile: engine.profile, statement, url });
}
