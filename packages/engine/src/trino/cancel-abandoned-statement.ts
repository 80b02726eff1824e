import type { Statement } from '../engine.ts';
import { cancelStatement } from './protocol/cancel-statement.ts';
import { HttpClient } from './protocol/http-client.ts';
import { checkedOrigin, type TrinoProfile, tlsOf } from './protocol/profile.ts';
import { statementHeaders } from './protocol/request-headers.ts';

/** A statement on Trino whose worker process ended, and the last address that the worker reported. */
interface AbandonedStatement {
  readonly profile: TrinoProfile;
  readonly statement: Statement;
  /** Address that was reported to `TrinoEngineOptions.onCancelUrl`. */
  readonly url: string;
}

/**
 * Cancels the statement of an engine whose process ended. Never rejects: if Trino cannot be reached, it drops
 * the statement after its own timeout.
 */
export async function cancelAbandonedStatement({ profile, statement, url }: AbandonedStatement): Promise<void> {
  try {
    if (new URL(url).origin !== checkedOrigin(profile)) return;
    using http = new HttpClient(tlsOf(profile));
    await cancelStatement(http, url, statementHeaders(profile, statement));
  } catch {
    // Trino cannot be reached, or does not know the statement any more.
  }
}
