export {
  type BrowseStore,
  createBrowseStore,
  type NamedEntries,
  type NamePage,
} from './browse-store.ts';
export { type CatalogueStore, createCatalogueStore, type OnLines, type TableKey } from './catalogue-store.ts';
export type { NewFactChange } from './change-repository.ts';
export type { StoredDomain } from './domain-repository.ts';
export type { TableBeginning } from './export-bounds.ts';
export { createHarvestCatalogStore, type HarvestCatalogStore } from './harvest-catalog-store.ts';
export type { HarvestReason, HarvestReference, HarvestRun } from './harvest-repository.ts';
export { createHarvestRunStore, type HarvestLease, type HarvestRunStore } from './harvest-run-store.ts';
export {
  deleteOldIdempotencyKeys,
  type IdempotentRequest,
  type StoredResponse,
} from './idempotency-key-repository.ts';
export {
  createMetadataExportStore,
  EXPORT_PAGE,
  type ExportedFact,
  type ExportedField,
  type MetadataExportStore,
} from './metadata-export-store.ts';
export {
  type FactMetadata,
  type FactReference,
  type FactWrite,
  type FieldMetadata,
  type FoundFact,
  type MetadataOwner,
  referenceKey,
} from './metadata-facts.ts';
export type {
  ImportBatch,
  ImportLease,
  ImportReference,
  MetadataImport,
} from './metadata-import-mapper.ts';
export { createMetadataImportStore, type MetadataImportStore } from './metadata-import-store.ts';
