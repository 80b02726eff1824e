import type { ParameterDeclaration } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

export interface PublishedDatamap {
  readonly id: string;
  readonly name: string;
  /** Null for a datamap without a statement. */
  readonly sql: string | null;
  readonly parameters: readonly ParameterDeclaration[];
}

export interface PublishedDatamapStore {
  /** Returns undefined for an unknown id, one of another tenant, or a datamap that is not published. */
  find(tenantId: string, datamapId: string): Promise<PublishedDatamap | undefined>;
}

const FIND = prepared(
  'find_published_datamap',
  `select fact_id as id, name, sql, parameters from datamaps where tenant_id = $1 and fact_id = $2 and state = 'PUBLISHED'`,
);

export const createPublishedDatamapStore = (database: Database): PublishedDatamapStore => ({
  async find(tenantId, datamapId) {
    if (!isUuid(datamapId)) return undefined;
    const [row] = await database.run<PublishedDatamap>({ tenantId }, FIND, [tenantId, datamapId]);
    return row;
  },
});
