import { distinctTables, type TableName } from '../table-name.ts';

interface TablesReportOptions {
  /** Requests the tables that Trino's account of the statement names. */
  readonly request: () => Promise<readonly TableName[]>;
  readonly onTables: (tables: readonly TableName[]) => void;
}

/**
 * Reports the tables of one running statement, at most once. They are requested as soon as the statement is planned, while its rows arrive.
 * Never rejects: a statement whose tables Trino does not tell has no report.
 */
export class TablesReport {
  readonly #options: TablesReportOptions;
  #requested: Promise<void> | undefined;

  constructor(options: TablesReportOptions) {
    this.#options = options;
  }

  /** Must be called once the statement is planned. */
  planned(): void {
    this.#requested ??= this.#report({ isPlanned: true });
  }

  /** Waits for the report of a statement that has ended. One that failed before its tables were known has no report. */
  async ended(): Promise<void> {
    this.#requested ??= this.#report({ isPlanned: false });
    await this.#requested;
  }

  async #report({ isPlanned }: { readonly isPlanned: boolean }): Promise<void> {
    const tables = await this.#options.request().catch(() => undefined);
    if (tables === undefined || (tables.length === 0 && !isPlanned)) return;
    this.#options.onTables(distinctTables(tables));
  }
}
