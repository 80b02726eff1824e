export { type ChangeMarketplace, createChangeMarketplace, type MarketplaceStores } from './change-marketplace.ts';
export { granteeOf, noSuchItem, requireManager, presentItem, whyNotDownload } from './item-rules.ts';
export { pastExpiries, requireFutureExpiry } from './require-future-expiry.ts';
