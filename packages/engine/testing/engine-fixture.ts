import type { FormatSpec } from '@sluice/encoders';
import type { CatalogListing } from '../src/catalog/catalog-listing.ts';
import type { CatalogTable } from '../src/catalog/catalog-page.ts';
import type { Engine } from '../src/engine.ts';

/** SQL of one engine for the statements of the engine contract. Only `table` and `listed` refer to objects of the fixture. */
export interface EngineSql {
  /** `id` bigint 0 to n-1, in order, and `label` varchar `row <id>`. */
  rows(n: number): string;
  /** The same rows; the one with this id fails, with `failure` in the engine's message. */
  failAt(id: number, n: number): string;
  readonly failure: string;
  /** A row so far behind the first that the engine must send rows before it computes this one. */
  readonly farRow: number;
  /** `n` of type integer; the row with this id fails because a cast does. */
  failedCastAt(id: number, n: number): string;
  /** Runs for minutes without a row, and can be cancelled. */
  readonly slow: string;
  /** Returns many rows at once, and then for minutes only few. */
  readonly slowAfterRows: string;
  /** An instant as a timestamp with time zone: 2026-10-25 00:30:00 UTC, in the hour that Europe/Berlin has twice. */
  readonly instant: string;
  /** One row with every type of the engine, and the names that clients see for the types. */
  readonly everyType: { readonly sql: string; readonly types: readonly string[] };
  /** A table or view of the fixture with one column `answer` and one row, 42. */
  readonly table: string;
  /** Catalog and schema of that table or of another such one, and its name in them. */
  readonly named: { readonly catalog: string; readonly schema: string; readonly name: string };
  /** Some of the tables and views that a catalog of the fixture has. */
  readonly listed: { readonly catalog: string; readonly tables: readonly CatalogTable[] };
  /** Statements that write, set or call; none may run. */
  readonly writes: readonly string[];
}

/** An engine for which the contract can run. */
export interface EngineFixture extends AsyncDisposable {
  readonly sql: EngineSql;
  readonly listing: CatalogListing;
  /** Opens a new engine, which the caller disposes of. `format` is how rows will be rendered, for engines that render elsewhere. */
  open(format: FormatSpec): Promise<Engine>;
}
