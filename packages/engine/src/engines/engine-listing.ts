import type { CatalogListing } from '../catalog/catalog-listing.ts';
import { duckDbListing } from '../duckdb/catalog/duckdb-listing.ts';
import { trinoListing } from '../trino/catalog/trino-listing.ts';
import type { EngineSpec } from './engine-spec.ts';

/** Returns how the catalogs of an engine are listed. */
export function engineListing(spec: EngineSpec): CatalogListing {
  switch (spec.kind) {
    case 'duckdb':
      return duckDbListing(spec.profile);
    case 'trino':
      return trinoListing(spec.profile);
  }
}
