import type { ClientSession } from '@sluice/trino-protocol';

type Namespace = Pick<ClientSession, 'catalog' | 'schema'>;

/** Catalog in which Trino describes itself. The host answers what is read from it, so no engine has it. */
const SYSTEM_CATALOG = 'system';

/**
 * Returns the catalog and schema of a session for an engine. SQLAlchemy's dialect names the catalog `system` for an address without a
 * catalog, which therefore means none.
 */
export const engineNamespace = ({ catalog, schema }: Namespace): Namespace =>
  catalog?.toLowerCase() === SYSTEM_CATALOG && schema === undefined
    ? { catalog: undefined, schema }
    : { catalog, schema };
