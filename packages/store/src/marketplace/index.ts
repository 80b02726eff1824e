export type { GrantKey, GrantQuery, StoredGrant, StoredItemGrant } from './grant-repository.ts';
export type { Grantee, ItemOwner, StoredItem } from './item-mapper.ts';
export type { ItemContent } from './item-repository.ts';
export type { ReadTables } from './item-tables.ts';
export { type ClaimedMail, createMailOutbox, type MailOutbox } from './mail-outbox.ts';
export { createMarketplaceDownloads, type MarketplaceDownloads } from './marketplace-downloads.ts';
