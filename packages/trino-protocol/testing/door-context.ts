import { PreparedHandles } from '../src/session/prepared-handles.ts';
import { readClientSession } from '../src/session/read-client-session.ts';
import type { StatementContext } from '../src/statement/statement-kind.ts';

/** Handles of one deployment. */
export const HANDLES = new PreparedHandles(Buffer.alloc(32, 1));

interface ContextInput extends Partial<Omit<StatementContext, 'session' | 'handles'>> {
  /** Prepared statements by name. */
  readonly prepared?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds the context of a statement whose client has prepared others. */
export function doorContext({
  prepared = {},
  headers = {},
  engine = 'trino',
  ...rest
}: ContextInput = {}): StatementContext {
  const entries = Object.entries(prepared).map(
    ([name, sql]) => `${encodeURIComponent(name)}=${encodeURIComponent(HANDLES.write(sql))}`,
  );
  const session = readClientSession({
    'x-trino-user': 'ann',
    ...(entries.length === 0 ? {} : { 'x-trino-prepared-statement': entries.join() }),
    ...headers,
  });
  return { session, user: 'ann', engine, handles: HANDLES, ...rest };
}
