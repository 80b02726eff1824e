export {
  type CreateItem,
  createCreateItem,
  createPutItemGrants,
  createReadItemGrants,
  createRemoveItem,
  createUpdateItem,
  type PutItemGrants,
  type ReadItemGrants,
  type RemoveItem,
  type UpdateItem,
} from './change-items.ts';
export { granteeOf, noSuchItem, presentItem, requireManager, whyNotDownload } from './item-rules.ts';
export { pastExpiries, requireFutureExpiry } from './require-future-expiry.ts';
