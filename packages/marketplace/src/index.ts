export { type ChangeMarketplace, createChangeMarketplace, type MarketplaceStores } from './change-marketplace.ts';
export { granteeOf, noSuchItem, requireManager, viewItem, whyNotDownload } from './item-rules.ts';
