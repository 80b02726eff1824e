import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { ByteCipher } from '@sluice/auth';
import { asProblem, type Column, type Principal, ProblemError } from '@sluice/contract';
import type { OneTimeValues } from '@sluice/shared-state';
import type { PresentedError } from '@sluice/trino-protocol';

interface AnswerParts {
  readonly columns: readonly Column[];
  readonly updateType?: string | undefined;
  /** Headers by which the client changes its session. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly error?: PresentedError | undefined;
}

/** Answer to a statement that no engine runs: the one page after the answer to its POST. */
export interface PreparedAnswer extends AnswerParts {
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** An answer whose rows are written: as in pages, with a comma between them. */
export interface WrittenAnswer extends AnswerParts {
  readonly rows: Uint8Array;
  readonly rowCount: number;
}

/** Time in which the page can be read, also repeatedly. */
const LIFETIME_MS = 60_000;
/** Drivers prepare, run and forget each statement, so an account may have many at once. */
const ANSWERS_PER_ACCOUNT_MAX = 1_000;
/** Compressed and encrypted. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Lists of the catalogue may be larger, but few at once. About 10 MB of rows become this. */
const LIST_BYTES_MAX = 1024 * 1024;
const LISTS_PER_ACCOUNT_MAX = 8;
const HEAD_END = 0x0a;

type Size = 'answer' | 'list' | 'note';
const MAX_OF: Readonly<Record<Size, number>> = {
  answer: ANSWERS_PER_ACCOUNT_MAX,
  list: LISTS_PER_ACCOUNT_MAX,
  note: ANSWERS_PER_ACCOUNT_MAX,
};

const compress = promisify(gzip);
const decompress = promisify(gunzip);

interface PreparedAnswersDependencies {
  readonly values: OneTimeValues;
  /** Protects answers in the state that hosts share. */
  readonly cipher: ByteCipher;
}

/**
 * Answers that wait for the request for their page. They are in the state that hosts share, so that any host answers: an address could not
 * hold the rows of `SHOW SESSION`, and a database is too much for an answer that anyone can ask for again.
 */
export class PreparedAnswers {
  readonly #values: OneTimeValues;
  readonly #cipher: ByteCipher;

  constructor({ values, cipher }: PreparedAnswersDependencies) {
    this.#values = values;
    this.#cipher = cipher;
  }

  /** Keeps the answer to a statement with this id. Throws `too_many_requests`, and `resource_limit` for an answer that is too large. */
  async put(account: Principal, id: string, { rows, ...parts }: PreparedAnswer): Promise<void> {
    const text = rows.map((row) => JSON.stringify(row)).join(',');
    const value = await this.#write(id, { ...parts, rows: Buffer.from(text), rowCount: rows.length });
    if (value.length > ANSWER_BYTES_MAX) throw tooLarge();
    if (!(await this.#store(account, { id, value, size: 'answer' }))) throw tooMany();
  }

  /**
   * Keeps a list of the catalogue. Returns false if it cannot, because the list is too large, there are too many, or the state that hosts
   * share is unavailable. Then the caller must keep it, and other hosts can find out that it does.
   */
  async putList(account: Principal, id: string, answer: WrittenAnswer): Promise<boolean> {
    try {
      const value = await this.#write(id, answer);
      const size = value.length > ANSWER_BYTES_MAX ? 'list' : 'answer';
      if (value.length <= LIST_BYTES_MAX && (await this.#store(account, { id, value, size }))) return true;
      await this.#store(account, { id, value: await this.#cipher.encrypt(new Uint8Array(0), id), size: 'note' });
      return false;
    } catch (thrown) {
      if (asProblem(thrown).code !== 'service_unavailable') throw thrown;
      return false;
    }
  }

  /**
   * Returns undefined for an answer that is unknown or expired, and `in memory` for one that the host of the statement alone has. The
   * address of its page proves whose it is.
   */
  async find(id: string): Promise<WrittenAnswer | 'in memory' | undefined> {
    const value = await this.#values.read(keyOf(id));
    const bytes = value === undefined ? undefined : await this.#cipher.decrypt(value, id);
    if (bytes === undefined) return undefined;
    if (bytes.length === 0) return 'in memory';
    const content = await decompress(bytes);
    const end = content.indexOf(HEAD_END);
    const head = JSON.parse(content.toString('utf8', 0, end)) as Omit<WrittenAnswer, 'rows'>;
    return { ...head, rows: content.subarray(end + 1) };
  }

  /** Forgets an answer of the account. Returns false if it has none with this id. */
  async forget(account: Principal, id: string): Promise<boolean> {
    for (const size of ['answer', 'list', 'note'] as const) {
      const entry = { key: keyOf(id), group: groupOf(account, size) };
      if ((await this.#values.take(entry)) !== undefined) return true;
    }
    return false;
  }

  /** Writes the rows as they are, after a line with the rest. */
  async #write(id: string, { rows, ...head }: WrittenAnswer): Promise<string> {
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), rows]);
    return await this.#cipher.encrypt(await compress(content, { level: constants.Z_BEST_SPEED }), id);
  }

  async #store(
    account: Principal,
    { id, value, size }: { readonly id: string; readonly value: string; readonly size: Size },
  ): Promise<boolean> {
    const entry = { key: keyOf(id), group: groupOf(account, size), value };
    return await this.#values.put(entry, { ttlMs: LIFETIME_MS, groupMax: MAX_OF[size] });
  }
}

const keyOf = (id: string): string => `trino-page:${id}`;
const groupOf = ({ tenant, id }: Principal, size: Size): string => `trino-${size}s:${tenant.id}:${id}`;

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
