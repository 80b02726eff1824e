import { distinctTables, type TableName } from '../table-name.ts';

interface TablesReportOptions {
  /** Requests the tables that Trino's account of the statement names. */
  readonly request: () => Promise<readonly TableName[]>;
  /** Finds the tables of a planned statement that its account leaves out. */
  readonly findLeftOut: () => Promise<readonly TableName[]>;
  readonly onTables: (tables: readonly TableName[]) => void;
}

/**
 * Reports the tables of one running statement, at most once. They are requested as soon as the statement is planned, while its rows arrive.
 * Never rejects: a statement whose tables Trino does not tell has no report, because an incomplete list would be a wrong answer.
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
    const tables = await this.#find(isPlanned).catch(() => undefined);
    if (tables === undefined || (tables.length === 0 && !isPlanned)) return;
    this.#options.onTables(distinctTables(tables));
  }

  async #find(isPlanned: boolean): Promise<readonly TableName[]> {
    const { request, findLeftOut } = this.#options;
    const tables = await request();
    return isPlanned ? [...tables, ...(await findLeftOut())] : tables;
  }
}
