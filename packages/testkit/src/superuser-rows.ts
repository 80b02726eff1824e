import pg from 'pg';

/** Statements run as superuser, without row-level security. */
export class SuperuserRows implements AsyncDisposable {
  readonly #url: string;
  /** Tests read rows until something happens, and a new connection takes 15 ms of processor time, so one is kept. */
  #kept: pg.Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Runs a statement and returns its rows. Statements at the same time run on separate connections. */
  async rows<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const kept = this.#kept;
    if (kept === undefined) return this.#run<R>(await this.#connect(), text, values);
    this.#kept = undefined;
    try {
      return await this.#run<R>(kept, text, values);
    } catch (thrown) {
      // The server ended it while it was kept, so the statement did not run.
      if (isLostConnection(thrown)) return this.#run<R>(await this.#connect(), text, values);
      throw thrown;
    }
  }

  async #run<R extends object>(client: pg.Client, text: string, values: unknown[]): Promise<R[]> {
    try {
      const { rows } = await client.query<R>(text, values);
      if (this.#kept === undefined) this.#kept = client;
      return rows;
    } finally {
      if (this.#kept !== client) await client.end().catch(() => undefined);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url });
    const forget = (): void => {
      if (this.#kept === client) this.#kept = undefined;
    };
    client.on('error', forget); // the running statement rejects too
    client.on('end', forget);
    await client.connect();
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.end().catch(() => undefined);
  }
}

const isLostConnection = (thrown: unknown): boolean => {
  const { code, message } = thrown as { readonly code?: string; readonly message?: string };
  return code === '57P01' || code === 'ECONNRESET' || code === 'EPIPE' || /^Connection terminated/.test(message ?? '');
};
