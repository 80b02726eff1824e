import type { BuiltUser } from '@sluice/testkit';
import { basicOf, idtoken, post, type Tokens } from '../requests/requests.ts';

/** Logins and queries that go on while an operator works. */
export interface SmallLoad {
  /** Requests that have ended. */
  count(): number;
  /** Resolves when every request that is open now has ended, so that a host without new connections may stop. */
  settled(): Promise<unknown>;
  /** Ends the load. Returns the descriptions of all failed requests. */
  stop(): Promise<readonly string[]>;
}

interface SmallLoadOptions {
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly user: BuiltUser;
}

const CLIENTS = 3;

/** Starts clients that log in, query with the token and with the password, and start again. */
export function startSmallLoad({ apiUrl, streamUrl, user }: SmallLoadOptions): SmallLoad {
  const failures: string[] = [];
  const open = new Map<number, Promise<unknown>>();
  let isOver = false;
  let count = 0;

  const query = (credential: Readonly<Record<string, string>>) =>
    post(`${streamUrl}/query`, { sql: 'SELECT 1 AS n' }, credential).then((response) => {
      const isComplete = response.status === 200 && response.text.includes('"type":"complete"');
      if (!isComplete) failures.push(`query: ${response.status} ${response.text}`);
    });

  const visit = async (): Promise<void> => {
    const { email, password } = user;
    const response = await post(`${apiUrl}/auth/login/acme`, { email, password });
    if (response.status !== 200) return void failures.push(`login: ${response.status} ${response.text}`);
    await query(idtoken((response.body as Tokens).id_token));
    await query(basicOf(user));
    count += 3;
  };

  const clients = Array.from({ length: CLIENTS }, async (_none, client) => {
    while (!isOver) {
      const visiting = visit().catch((thrown: Error) => failures.push(`no response: ${thrown.message}`));
      open.set(client, visiting);
      await visiting;
    }
  });
  return {
    count: () => count,
    settled: () => Promise.all(open.values()),
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return failures;
    },
  };
}
