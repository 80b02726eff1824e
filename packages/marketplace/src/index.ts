export { type ChangeMarketplace, createChangeMarketplace } from './change-marketplace.ts';
export { granteeOf, noSuchItem, presentItem, requireManager, whyNotDownload } from './item-rules.ts';
export { pastExpiries, requireFutureExpiry } from './require-future-expiry.ts';
