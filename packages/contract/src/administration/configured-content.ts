import { z } from 'zod';
import { domainBody } from '../catalog/domain.ts';
import { createDatamapBody } from '../datamaps/datamap.ts';
import { storableText } from '../fields/text-field.ts';
import {
  marketplaceGrants,
  marketplaceItemBody,
  marketplaceQueries,
  marketplaceQueryName,
} from '../marketplace/marketplace.ts';

const DOMAINS_OF_ITEM_MAX = 100;
const GRANTS = 'all that there are; absent: as they are';

/** Each is as its own endpoint takes it, but that what it refers to is named and not known by an id, which the writer has not seen. */
export const configuredDomain = z.strictObject(domainBody.shape);

export const configuredDatamap = z.strictObject({
  ...createDatamapBody.shape,
  id: storableText('id').optional().describe('Of one that is there; absent: it is known by its name'),
  state: z
    .enum(['PUBLISHED', 'DRAFT'], { error: 'state must be PUBLISHED or DRAFT' })
    .optional()
    .describe('DRAFT: it is not published, whatever else it is. Absent: as it is; of a new one, DRAFT'),
});

export const configuredItem = z.strictObject({
  ...marketplaceItemBody.shape,
  domains: z
    .array(storableText('a domain'), { error: 'domains must be an array of names' })
    .max(DOMAINS_OF_ITEM_MAX, `domains must hold at most ${DOMAINS_OF_ITEM_MAX} names`)
    .optional()
    .describe('Names of domains, of the file or there already'),
  queries: marketplaceQueries(
    z.strictObject({
      name: marketplaceQueryName,
      datamap: storableText('datamap').describe('Its name in the file; else the name or id of one that is there'),
    }),
    'datamap',
  ),
  grants: marketplaceGrants.shape.grants.optional().describe(`${GRANTS}; of a new item, none`),
});
