import type { Statement } from '../engine.ts';
import { cancelStatement } from './protocol/cancel-statement.ts';
import { HttpClient } from './protocol/http-client.ts';
import { checkedOrigin, type TrinoProfile, tlsOf } from './protocol/profile.ts';
import { statementHeaders } from './protocol/request-headers.ts';

/** A statement on a Trino whose engine is gone, and where that engine read it last. */
export interface AbandonedStatement {
  readonly profile: TrinoProfile;
  readonly statement: Statement;
  /** As `TrinoEngineOptions.onPlace` told of it. */
  readonly url: string;
}

/** Tells Trino in the place of an engine that died with its process. Never rejects: what cannot be told, Trino drops by itself. */
export async function cancelAbandoned({ profile, statement, url }: AbandonedStatement): Promise<void> {
  try {
    if (new URL(url).origin !== checkedOrigin(profile)) return;
    using http = new HttpClient(tlsOf(profile));
    await cancelStatement(http, url, statementHeaders(profile, statement));
  } catch {
    // Trino cannot be reached, or knows nothing of it any more.
  }
}
