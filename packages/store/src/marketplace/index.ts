export type { Grantee, ItemOwner, StoredItem } from './item-mapper.ts';
export { createMarketplaceAccessStore, type MarketplaceAccessStore } from './marketplace-access-store.ts';
export { createMarketplaceChanges, type MarketplaceChanges } from './marketplace-changes.ts';
export { createMarketplaceDownloads, type MarketplaceDownloads } from './marketplace-downloads.ts';
export {
  createMarketplaceStore,
  type ItemChange,
  type ItemContent,
  type ItemRejection,
  type MarketplaceStore,
} from './marketplace-store.ts';
export type { GrantsWrite, StoredGrant } from './put-grants.ts';
