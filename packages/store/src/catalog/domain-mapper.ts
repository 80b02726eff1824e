import type { DomainRecord } from '@sluice/contract';

export interface StoredDomain extends DomainRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

export interface DomainRow {
  readonly domain_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: string;
  readonly created: Date;
  readonly updated: Date;
  readonly updated_by: string;
  readonly object_count: string;
}

/** Columns of `domains d`. */
export const DOMAIN_COLUMNS = `
  d.domain_id, d.name, d.description, d.version, d.created, d.updated, d.updated_by,
  (select count(*) from fact_domains f where f.tenant_id = d.tenant_id and f.domain_id = d.domain_id) as object_count`;

export const domainOf = (row: DomainRow): StoredDomain => ({
  id: row.domain_id,
  name: row.name,
  description: row.description,
  object_count: Number(row.object_count),
  created_ts: row.created.getTime(),
  updated_ts: row.updated.getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});
