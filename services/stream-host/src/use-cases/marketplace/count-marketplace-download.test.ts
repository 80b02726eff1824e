import { expect, it } from '@jest/globals';
import type { StoredItem } from '@sluice/store/marketplace';
import { buildCaller } from '@sluice/testkit';
import { createCountMarketplaceDownload } from './count-marketplace-download.ts';

it('a download of an item counts once for the item and once for each of its datamaps', async () => {
  const counted: unknown[] = [];
  const count = createCountMarketplaceDownload({
    marketplace: { countDownload: async (...item) => void counted.push(item) },
    datamapCounters: { countQuery: (query) => void counted.push(query) },
  });
  const item = { id: 'item', queries: [{ datamapId: 'a' }, { datamapId: 'b' }] } as unknown as StoredItem;
  await count(buildCaller('ann'), item);
  expect(counted).toEqual([{ tenantId: 't', factId: 'a' }, { tenantId: 't', factId: 'b' }, ['t', 'item']]);
});
