import { z } from 'zod';
import { domainBody } from '../catalog/domain.ts';
import { createDatamapBody } from '../datamaps/datamap.ts';
import { listOf } from '../fields/list-of.ts';
import { storableText } from '../fields/text-field.ts';
import { marketplaceItemBody, marketplaceQueries, marketplaceQueryName } from '../marketplace/marketplace.ts';
import { marketplaceGrants } from '../marketplace/marketplace-access.ts';

const DOMAINS_OF_ITEM_MAX = 100;
const GRANTS = 'Replaces all grants. Absent: unchanged';

/** Same fields as the endpoints of each object, but references are names, because the author of a file does not know the ids. */
export const configuredDomain = z.strictObject(domainBody.shape);

export const configuredDatamap = z.strictObject({
  ...createDatamapBody.shape,
  id: storableText('id').optional().describe('Id of an existing datamap. Absent: it is found by name'),
  state: z
    .enum(['PUBLISHED', 'DRAFT'], { error: 'state must be PUBLISHED or DRAFT' })
    .optional()
    .describe('DRAFT: any state but published. Absent: unchanged, or DRAFT for a new datamap'),
});

export const configuredItem = z.strictObject({
  ...marketplaceItemBody.shape,
  domains: listOf(storableText('a domain'), { error: 'domains must be an array of names' })
    .max(DOMAINS_OF_ITEM_MAX, `domains must hold at most ${DOMAINS_OF_ITEM_MAX} names`)
    .optional()
    .describe('Names of domains in the file or existing ones'),
  queries: marketplaceQueries(
    z.strictObject({
      name: marketplaceQueryName,
      datamap: storableText('datamap').describe('Name of a datamap in the file, or name or id of an existing one'),
    }),
    'datamap',
  ),
  grants: marketplaceGrants.shape.grants.optional().describe(`${GRANTS}, or none for a new item`),
});
