import { accounts } from './baseline/accounts.ts';
import { auditEvidence } from './baseline/audit-evidence.ts';
import { auditLog } from './baseline/audit-log.ts';
import { catalog } from './baseline/catalog.ts';
import { catalogCounts } from './baseline/catalog-counts.ts';
import { datamaps } from './baseline/datamaps.ts';
import { logins } from './baseline/logins.ts';
import { marketplace } from './baseline/marketplace.ts';
import { metadataWork } from './baseline/metadata-work.ts';
import { queries } from './baseline/queries.ts';
import { searchCounting } from './baseline/search-counting.ts';
import { searchFolding } from './baseline/search-folding.ts';
import { searchFunctions } from './baseline/search-functions.ts';
import { searchTables } from './baseline/search-tables.ts';
import { sessions } from './baseline/sessions.ts';
import type { SchemaStep } from './migration.ts';

/**
 * The whole schema of 0.2.0. Its number follows that of the last step before it: a database that has all of those is adopted
 * (`schema/adopt-earlier-schema.ts`), and its rows in knex_migrations stay, because hosts of the previous version look for them.
 */
export const baselineStep: SchemaStep = {
  name: '0040-baseline',
  sql: [
    accounts,
    sessions,
    logins,
    auditLog,
    auditEvidence,
    queries,
    catalog,
    catalogCounts,
    metadataWork,
    datamaps,
    searchTables,
    searchFunctions,
    searchCounting,
    searchFolding,
    marketplace,
  ].join(''),
};
