export { type AuditChainStore, type ChainRow, createAuditChainStore } from './audit-chain-store.ts';
export type { AuditPosition } from './audit-page-statement.ts';
export { isAuditMonthDue, removeTenant, retainAudit, type SignDropped } from './audit-retention.ts';
export { setRetentionFloor, setTenantRetention } from './audit-retention-settings.ts';
export {
  type AuditSealStore,
  createAuditSealStore,
  type Sealer,
  type SealingProblem,
  type SealRows,
  type StoredHead,
} from './audit-seal-store.ts';
export type { SealerSnapshot } from './audit-sealer-position.ts';
export type { AuditFilter } from './audit-search-statements.ts';
export { type AuditSearchStore, createAuditSearchStore } from './audit-search-store.ts';
export { type AuditStore, createAuditStore } from './audit-store.ts';
export type { SummaryQuery } from './audit-summary-statements.ts';
export { type AuditSummaryStore, createAuditSummaryStore } from './audit-summary-store.ts';
export { searchWordsOf } from './audit-text-search.ts';
export {
  type AuditVerification,
  createAuditVerification,
  openAuditVerification,
  type RunStatement,
} from './audit-verification.ts';
