import { type Column, type Principal, ProblemError } from '@sluice/contract';
import type { OneTimeValues } from '@sluice/shared-state';
import type { PresentedError } from '@sluice/trino-protocol';

/** Answer to a statement that no engine runs: the one page after the answer to its POST. */
export interface PreparedAnswer {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly updateType?: string | undefined;
  /** Headers by which the client changes its session. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly error?: PresentedError | undefined;
}

/** Time in which the page can be read, also repeatedly. */
const LIFETIME_MS = 60_000;
/** Drivers prepare, run and forget each statement, so an account may have many at once. */
const ANSWERS_PER_ACCOUNT_MAX = 1_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Answers that wait for the request for their page. They are in the state that hosts share, so that any host answers: an address could not
 * hold the rows of `SHOW SESSION`, and a database is too much for an answer that anyone can ask for again.
 */
export class PreparedAnswers {
  readonly #values: OneTimeValues;

  constructor(values: OneTimeValues) {
    this.#values = values;
  }

  /** Keeps the answer to a statement with this id. Throws `too_many_requests`, and `resource_limit` for an answer that is too large. */
  async put(account: Principal, id: string, answer: PreparedAnswer): Promise<void> {
    const value = JSON.stringify(answer);
    if (Buffer.byteLength(value) > ANSWER_BYTES_MAX) throw tooLarge();
    const isStored = await this.#values.put(
      { key: keyOf(id), group: groupOf(account), value },
      { ttlMs: LIFETIME_MS, groupMax: ANSWERS_PER_ACCOUNT_MAX },
    );
    if (!isStored) throw tooMany();
  }

  /** Returns undefined for an answer that is unknown or expired. The address of its page proves whose it is. */
  async find(id: string): Promise<PreparedAnswer | undefined> {
    const value = await this.#values.read(keyOf(id));
    return value === undefined ? undefined : (JSON.parse(value) as PreparedAnswer);
  }
}

const keyOf = (id: string): string => `trino-answer:${id}`;
const groupOf = ({ tenant, id }: Principal): string => `trino-answers:${tenant.id}:${id}`;

const tooLarge = (): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The answer to a statement without an engine has at most ${ANSWER_BYTES_MAX} bytes.`,
  );

const tooMany = (): ProblemError =>
  new ProblemError(
    'too_many_requests',
    `You began ${ANSWERS_PER_ACCOUNT_MAX} statements without an engine within a minute. Send this one again later.`,
    { retryAfterSeconds: 10 },
  );
