import type { ColumnsEvent, RowsEvent, Statement } from '@sluice/engine';
import { ChunkCipher, ResultNotKeptError, ResultWriter } from '@sluice/result-store/form';
import type { KeepSpec, StoredEnd } from '../protocol/query-job.ts';

interface RowKeeperOptions {
  readonly spec: KeepSpec;
  readonly statement: Pick<Statement, 'sql' | 'catalog' | 'schema' | 'timeZone'>;
  /** Sends sealed bytes to the host. */
  readonly send: (bytes: Uint8Array) => void;
  readonly sendEnd: (end: StoredEnd) => void;
  readonly sendNotKept: (reason: string) => void;
}

/**
 * Keeps the rows of one statement. No failure of it reaches the statement: the result is then not kept, and the host learns why, once.
 */
export class RowKeeper {
  readonly #options: RowKeeperOptions;
  #writer: ResultWriter | undefined;
  #isOver = false;

  constructor(options: RowKeeperOptions) {
    this.#options = options;
  }

  begin({ columns, fileTypes = [] }: ColumnsEvent): void {
    if (this.#isOver) return;
    const { spec, statement, send } = this.#options;
    const { sql, catalog, schema, timeZone } = statement;
    const { engine, ranAtMs, sqlSha256, parameters } = spec;
    this.#writer = new ResultWriter({
      cipher: new ChunkCipher(Buffer.from(spec.key, 'base64'), spec),
      header: { columns, fileTypes, engine, ranAtMs, timeZone, catalog, schema, sqlSha256, sql, parameters },
      emit: (bytes) => {
        if (!this.#isOver) send(bytes);
      },
    });
  }

  /** Copies rows in their stored form, in this call. Resolves when there is room for the next ones. */
  async add({ rows, bytes }: Pick<RowsEvent, 'rows' | 'bytes'>): Promise<void> {
    if (this.#isOver || this.#writer === undefined) return;
    try {
      await this.#writer.add(rows, bytes);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Ends a complete result of this many rows. */
  async end(sentRows: number, limited: boolean): Promise<void> {
    if (this.#isOver || this.#writer === undefined) return;
    try {
      if (this.#writer.rows !== sentRows)
        throw new ResultNotKeptError('Its rows cannot be written in the form of kept results.');
      const { rows, rowBytes, sha256 } = await this.#writer.end(limited);
      if (!this.#isOver) this.#options.sendEnd({ rows, rowBytes, sha256 });
      this.#isOver = true;
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Stops keeping, because the host wants no more. */
  stop(): void {
    this.#isOver = true;
    this.#writer = undefined;
  }

  #fail(thrown: unknown): void {
    if (this.#isOver) return;
    this.stop();
    this.#options.sendNotKept(
      thrown instanceof ResultNotKeptError ? thrown.message : `The worker failed: ${String(thrown)}`,
    );
  }
}
