import { setTimeout as wait } from 'node:timers/promises';
import { type BuiltUser, type ReceivedResponse, send } from '@sluice/testkit';
import { idtoken, post, type Tokens } from '../requests/requests.ts';
import type { SmallLoad } from './small-load.ts';

/** Requests at a steady rate to both hosts with the tokens of many users, who refresh all the time. */
export interface SteadyLoad extends SmallLoad {
  /** Requests that ended per second so far. */
  perSecond(): number;
  /** Accepts 401 for tokens of this key from a time on. Its users refresh then. */
  allowRefusal(kid: string, fromMs: number): void;
  /** Refusals that were allowed. */
  refusals(): number;
  /** Ids of the keys that signed the tokens in use. */
  kids(): ReadonlySet<string>;
}

interface SteadyLoadOptions {
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly users: readonly BuiltUser[];
  readonly requestsPerSecond: number;
}

/** Session of one user. */
interface Session {
  readonly user: BuiltUser;
  tokens: Tokens;
  refreshing: Promise<void> | undefined;
}

/** Number of requests of a user between two refreshes. */
const REFRESH_EVERY = 12;
/** Share of the requests that are queries. All others only authenticate, which is cheap. */
const QUERY_EVERY = 20;
/** One user after the other logs in anew, as people do all day. */
const LOGIN_EVERY = 100;

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

export async function startSteadyLoad({
  apiUrl,
  streamUrl,
  users,
  requestsPerSecond,
}: SteadyLoadOptions): Promise<SteadyLoad> {
  const failures: string[] = [];
  const refusedFrom = new Map<string, number>();
  const open = new Set<Promise<unknown>>();
  let count = 0;
  let refusals = 0;
  let isOver = false;

  const logIn = async ({ email, password }: BuiltUser): Promise<Tokens> => {
    const answer = await post(`${apiUrl}/auth/login/acme`, { email, password });
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.text}`);
    return answer.body as Tokens;
  };
  const sessions: Session[] = [];
  for (const user of users) sessions.push({ user, tokens: await logIn(user), refreshing: undefined });

  const refresh = (session: Session): Promise<void> => {
    session.refreshing ??= (async () => {
      const form = new URLSearchParams({ refresh_token: session.tokens.refresh_token }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await send(`${apiUrl}/auth/refresh/acme`, { method: 'POST', headers, body: form });
      if (answer.status === 200) session.tokens = answer.body as Tokens;
      else failures.push(`refresh: ${answer.status} ${answer.text}`);
    })().finally(() => {
      session.refreshing = undefined;
    });
    return session.refreshing;
  };

  const ask = (turn: number, token: string): Promise<ReceivedResponse> => {
    if (turn % QUERY_EVERY === 1) return post(`${streamUrl}/query`, { sql: 'SELECT 1 AS n' }, idtoken(token));
    return send(`${turn % 2 === 0 ? apiUrl : streamUrl}/me`, { headers: idtoken(token) });
  };

  const visit = async (turn: number): Promise<void> => {
    const index = turn % sessions.length;
    const session = sessions[index];
    if (session === undefined) return;
    if (turn % LOGIN_EVERY === 0) session.tokens = await logIn(session.user);
    const round = Math.floor(turn / sessions.length);
    // Users refresh at different times, so that there is always one who does.
    if ((round + index) % REFRESH_EVERY === 0) await refresh(session);
    const { id_token: token } = session.tokens;
    const answer = await ask(turn, token);
    count += 1;
    if (answer.status === 200) return;
    const isAllowed =
      answer.status === 401 && Date.now() >= (refusedFrom.get(kidOf(token)) ?? Number.POSITIVE_INFINITY);
    if (!isAllowed) return void failures.push(`${turn % 2 === 0 ? 'API' : 'stream'}: ${answer.status} ${answer.text}`);
    refusals += 1;
    if (session.tokens.id_token === token) await refresh(session);
  };

  const startedMs = performance.now();
  const running = (async () => {
    for (let turn = 1; !isOver; turn += 1) {
      const visiting = visit(turn)
        .catch((thrown: Error) => failures.push(`no response: ${thrown.message}`))
        .finally(() => open.delete(visiting));
      open.add(visiting);
      const dueMs = startedMs + (turn * 1000) / requestsPerSecond;
      await wait(Math.max(0, dueMs - performance.now()));
    }
  })();
  return {
    count: () => count,
    perSecond: () => (count * 1000) / (performance.now() - startedMs),
    refusals: () => refusals,
    kids: () => new Set(sessions.map(({ tokens }) => kidOf(tokens.id_token))),
    allowRefusal(kid, fromMs) {
      refusedFrom.set(kid, fromMs);
    },
    settled: () => Promise.all(open),
    async stop() {
      isOver = true;
      await running;
      await Promise.all(open);
      return failures;
    },
  };
}
