import { createOpaqueToken, hashOpaqueToken, type ValueSeal } from '@sluice/auth';
import { AUDIT_PAGE_RECORDS_MAX, asProblem, ProblemError } from '@sluice/contract';
import type { ExpiringValues } from '@sluice/shared-state';
import { z } from 'zod';

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
  actions: z.array(z.string()).readonly().optional(),
  excludedActions: z.array(z.string()).readonly().optional(),
  words: z.array(z.string()).readonly().optional(),
  reads: z.string().optional(),
});

const pageState = z.strictObject({
  tenantId: z.uuid(),
  accountId: z.uuid(),
  filter,
  /** Search as it is in the metadata of the records of the reads. */
  asked: z.record(z.string(), z.unknown()),
  order: z.enum(['asc', 'desc']),
  size: z.int().min(1).max(AUDIT_PAGE_RECORDS_MAX),
  snapshot: z.string().regex(/^\d+:\d+:[\d,]*$/),
  total: z.int().min(0),
  isAtLeast: z.boolean().optional(),
  readsSince: z.int().nullable().optional(),
  page: z.int().min(2),
  from: z.strictObject({ occurred: z.string().regex(/^\d{1,16}$/), id: z.uuid() }),
});
const storedState = pageState.extend({ expiresMs: z.number() });

/** State of a search that a page token refers to. */
export type PageState = z.infer<typeof pageState>;

type PageOwner = Pick<PageState, 'tenantId' | 'accountId'>;

interface AuditPageStatesDependencies {
  /** Shared by the hosts (Redis). Not trusted, so values are sealed. */
  readonly values: ExpiringValues;
  /** Values of this host, for when the shared ones are unavailable. */
  readonly ownValues: ExpiringValues;
  readonly seal: ValueSeal;
  readonly countLiveHosts: () => Promise<number>;
  readonly now: () => number;
}

/** Stores the states of page tokens. */
export interface AuditPageStates {
  /** Stores a state and returns its new token. Throws `service_unavailable` when it cannot be stored where every host finds it. */
  put(state: PageState): Promise<string>;
  /** Returns the state of a token. Throws `invalid_page_token` when it is unknown, expired or of another owner, and `service_unavailable`. */
  get(owner: PageOwner, token: string): Promise<PageState>;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const invalidToken = (): ProblemError =>
  new ProblemError(
    'invalid_page_token',
    'The page token is unknown, older than 120 seconds, or belongs to another caller. Start the search again.',
  );

const unavailable = (message: string, cause: unknown): ProblemError =>
  new ProblemError('service_unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Returns a key that does not contain the token, which a reader of the shared values could use. */
const keyOf = (token: string): string => `audit-page:${Buffer.from(hashOpaqueToken(token)).toString('base64url')}`;

const bindingOf = ({ tenantId, accountId }: PageOwner, key: string): string[] => [key, tenantId, accountId];

export function createAuditPageStates(dependencies: AuditPageStatesDependencies): AuditPageStates {
  const { values, ownValues, seal, countLiveHosts, now } = dependencies;

  const isOnlyHost = async (): Promise<boolean> => (await countLiveHosts()) <= 1;

  const find = async (key: string): Promise<string | undefined> => {
    const own = await ownValues.get(key);
    if (own !== undefined) return own;
    try {
      return await values.get(key);
    } catch (thrown) {
      throw unavailable('Page tokens cannot be read at the moment. Send the request again in a few seconds.', thrown);
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
        if (asProblem(thrown).code !== 'service_unavailable' || !(await isOnlyHost())) {
          throw unavailable(
            'The records do not fit into one page, and no page token can be stored at the moment. Search again in a few seconds, or use more filters.',
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
      if (text === undefined) throw invalidToken();
      const { data } = storedState.safeParse(JSON.parse(text));
      if (data === undefined || data.expiresMs < now()) throw invalidToken();
      const { expiresMs: _expiresMs, ...state } = data;
      return state;
    },
  };
}
