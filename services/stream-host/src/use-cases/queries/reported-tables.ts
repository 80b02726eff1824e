import { tablesReadMetadata } from '@sluice/contract';
import type { TableName } from '@sluice/engine';

/** Tables and views that an engine reports while a query runs, for its outcome. A file with several results has several reports. */
export class ReportedTables {
  #tables: readonly TableName[] | undefined;

  add(tables: readonly TableName[]): void {
    this.#tables = [...(this.#tables ?? []), ...tables];
  }

  /** Members of the outcome's metadata. Without a report, the engine could not tell: no statement was planned. */
  get metadata(): ReturnType<typeof tablesReadMetadata> {
    return tablesReadMetadata(this.#tables);
  }
}
