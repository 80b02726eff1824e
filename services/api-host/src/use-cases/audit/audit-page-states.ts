import { createOpaqueToken, hashOpaqueToken, type ValueSeal } from '@sluice/auth';
import { AUDIT_PAGE_RECORDS_MAX, asProblem, ProblemError } from '@sluice/contract';
import type { ExpiringValues } from '@sluice/shared-state';
import { z } from 'zod';

/** From the answer that gave the token. */
const TOKEN_LIFETIME_MS = 120_000;
const RETRY_AFTER_SECONDS = 2;

const time = z.number().min(0);
const filter = z.strictObject({
  start: time.optional(),
  end: time.optional(),
  user: z.string().optional(),
  userDigest: z.string().optional(),
  action: z.string().optional(),
  target: z.string().optional(),
  requestId: z.string().optional(),
  queryId: z.uuid().optional(),
});

const pageState = z.strictObject({
  tenantId: z.uuid(),
  accountId: z.uuid(),
  filter,
  /** As the records of the readings tell the search. */
  asked: z.record(z.string(), z.unknown()),
  order: z.enum(['asc', 'desc']),
  size: z.int().min(1).max(AUDIT_PAGE_RECORDS_MAX),
  snapshot: z.string().regex(/^\d+:\d+:[\d,]*$/),
  total: z.int().min(0),
  page: z.int().min(2),
  from: z.strictObject({ occurred: z.string().regex(/^\d{1,16}$/), id: z.uuid() }),
});
const storedState = pageState.extend({ expiresMs: z.number() });

/** What stands behind a page token. */
export type PageState = z.infer<typeof pageState>;

export type PageOwner = Pick<PageState, 'tenantId' | 'accountId'>;

export interface AuditPageStatesDependencies {
  /** What the hosts share: Redis, which is not trusted. */
  readonly values: ExpiringValues;
  /** Of this host alone, for the time when there is nothing shared. */
  readonly ownValues: ExpiringValues;
  readonly seal: ValueSeal;
  readonly countLiveHosts: () => Promise<number>;
  readonly now: () => number;
}

/** The states behind page tokens. */
export interface AuditPageStates {
  /** Resolves with a new token. Throws `service_unavailable` when no state can be stored that every host would find. */
  put(state: PageState): Promise<string>;
  /** Throws `invalid_page_token` for a token that is not the owner's, or no more; `service_unavailable`. */
  get(owner: PageOwner, token: string): Promise<PageState>;
}

/** Of any other form than ours it was never given out. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const refuse = (): ProblemError =>
  new ProblemError(
    'invalid_page_token',
    'The page token is unknown, older than 120 seconds or not yours. Search again.',
  );

const unavailable = (message: string, cause: unknown): ProblemError =>
  new ProblemError('service_unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Not the token itself: whoever reads what hosts share could use it. */
const keyOf = (token: string): string => `audit-page:${Buffer.from(hashOpaqueToken(token)).toString('base64url')}`;

const bindingOf = ({ tenantId, accountId }: PageOwner, key: string): string[] => [key, tenantId, accountId];

export function createAuditPageStates(dependencies: AuditPageStatesDependencies): AuditPageStates {
  const { values, ownValues, seal, countLiveHosts, now } = dependencies;

  const isAlone = async (): Promise<boolean> => (await countLiveHosts()) <= 1;

  const find = async (key: string): Promise<string | undefined> => {
    const own = await ownValues.get(key);
    if (own !== undefined) return own;
    try {
      return await values.get(key);
    } catch (thrown) {
      throw unavailable('Page tokens cannot be read at the moment. Send this request again in a few seconds.', thrown);
    }
  };

  return {
    async put(state) {
      const token = createOpaqueToken();
      const key = keyOf(token);
      const text = JSON.stringify({ ...state, expiresMs: now() + TOKEN_LIFETIME_MS });
      const sealed = seal.seal(text, bindingOf(state, key));
      try {
        await values.put(key, sealed, TOKEN_LIFETIME_MS);
      } catch (thrown) {
        if (asProblem(thrown).code !== 'service_unavailable' || !(await isAlone())) {
          throw unavailable(
            'There are more records than one page holds, and no page token can be stored at the moment. Search again in a few seconds, or narrow the search.',
            thrown,
          );
        }
        await ownValues.put(key, sealed, TOKEN_LIFETIME_MS);
      }
      return token;
    },
    async get(owner, token) {
      const key = keyOf(token);
      const sealed = TOKEN.test(token) ? await find(key) : undefined;
      const text = sealed === undefined ? undefined : seal.open(sealed, bindingOf(owner, key));
      if (text === undefined) throw refuse();
      const { data } = storedState.safeParse(JSON.parse(text));
      if (data === undefined || data.expiresMs < now()) throw refuse();
      const { expiresMs: _expiresMs, ...state } = data;
      return state;
    },
  };
}
