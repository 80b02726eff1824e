export { createItem, lockManaged, putItemGrants, readItemGrants, removeItem, updateItem } from './change-items.ts';
export { presentFreshness } from './item-freshness.ts';
export { granteeOf, noSuchItem, presentItem, whyNotDownload } from './item-rules.ts';
export { pastExpiries, requireFutureExpiry } from './require-future-expiry.ts';
