import { ProblemError } from '@sluice/contract/problems';
import type { Statement } from '../engine.ts';
import { lowerAscii } from '../lower-ascii.ts';
import type { TrinoProfile } from './protocol/profile.ts';

/** Catalog and schema of unqualified names. */
type SessionNamespace = Pick<TrinoProfile, 'defaultCatalog' | 'defaultSchema'>;

/** It describes Trino itself, whatever catalogs a tenant has. */
const ENGINE_CATALOG = 'system';

/**
 * Returns the catalog and schema of a statement's session, in lower case as Trino compares them: those that it names, otherwise those of the profile, whose
 * schema is one of its own catalog. Throws `permission_denied` for a catalog that is not the tenant's. Trino reports an unknown schema.
 */
export function sessionNamespace(
  profile: Pick<TrinoProfile, 'catalogs' | 'defaultCatalog' | 'defaultSchema'>,
  { catalog: written, schema }: Pick<Statement, 'catalog' | 'schema'>,
): SessionNamespace {
  if (written === undefined && schema === undefined) return profile;
  const catalog = written === undefined ? profile.defaultCatalog : lowerAscii(written);
  const catalogs = profile.catalogs.map(lowerAscii);
  if (written !== undefined && (catalog === ENGINE_CATALOG || !catalogs.includes(catalog)))
    throw new ProblemError(
      'permission_denied',
      `The catalog ${written} is not one of yours. Yours: ${catalogs.join(', ')}.`,
    );
  const isDefault = catalog === lowerAscii(profile.defaultCatalog);
  const defaultSchema = schema === undefined ? (isDefault ? profile.defaultSchema : undefined) : lowerAscii(schema);
  return { defaultCatalog: catalog, ...(defaultSchema === undefined ? {} : { defaultSchema }) };
}
