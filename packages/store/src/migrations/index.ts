import { tenantsStep } from './0001-tenants.ts';
import { accountsStep } from './0002-accounts.ts';
import { sessionsStep } from './0003-sessions.ts';
import { signingKeysStep } from './0004-signing-keys.ts';
import { auditLogStep } from './0005-audit-log.ts';
import { queriesStep } from './0006-queries.ts';
import { catalogStep } from './0007-catalog.ts';
import { domainsStep } from './0008-domains.ts';
import { datamapsStep } from './0009-datamaps.ts';
import { searchStep } from './0009-search.ts';
import { searchFunctionsStep } from './0009-search-functions.ts';
import { auditViewStep } from './0010-contract-audit-view.ts';
import { auditChainStep } from './0011-audit-chain.ts';
import { marketplaceStep } from './0013-marketplace.ts';
import { marketplaceAccessStep } from './0014-marketplace-access.ts';
import { marketplaceDownloadsStep } from './0015-marketplace-downloads.ts';
import { harvestRunsStep } from './0016-harvest-runs.ts';
import { auditRetentionStep } from './0017-audit-retention.ts';
import { administrationStep } from './0019-administration.ts';
import { tenantRemovalsStep } from './0020-tenant-removals.ts';
import { searchCountingStep } from './0021-search-counting.ts';
import { querySecretsStep } from './0022-query-secrets.ts';
import { singleSignOnStep } from './0023-single-sign-on.ts';
import { loginFailuresStep } from './0024-login-failures.ts';
import { queryProgressStep } from './0025-a-query-progress.ts';
import { auditVersionsStep } from './0025-audit-versions.ts';
import { narrowScopesStep } from './0026-a-narrow-scopes.ts';
import { trustedEmailStep } from './0026-trusted-email.ts';
import { waitingQueriesStep } from './0027-waiting-queries.ts';
import { durableWriteProbeStep } from './0028-durable-write-probe.ts';
import { removedPermissionStep } from './0029-a-removed-permission.ts';
import { searchFoldingStep } from './0029-search-folding.ts';
import { emailDomainsStep } from './0030-email-domains.ts';
import { metadataImportsStep } from './0031-metadata-imports.ts';
import { queryHistoryStep } from './0032-query-history.ts';
import { catalogCountsStep } from './0033-catalog-counts.ts';
import { adminCancelsStep } from './0034-admin-cancels.ts';
import { datamapReadsStep } from './0035-datamap-reads.ts';
import { datamapParametersStep } from './0036-datamap-parameters.ts';
import { auditSetAsideStep } from './0037-audit-set-aside.ts';
import { sessionUseStep } from './0038-session-use.ts';
import { singleStatementsStep } from './0039-single-statements.ts';
import type { SchemaStep } from './migration.ts';

/** All steps of the schema, in order. A list, not a folder scan: a step cannot go missing when files are bundled or renamed. */
export const schemaSteps: readonly SchemaStep[] = [
  tenantsStep,
  accountsStep,
  sessionsStep,
  signingKeysStep,
  auditLogStep,
  queriesStep,
  catalogStep,
  domainsStep,
  datamapsStep,
  searchStep,
  searchFunctionsStep,
  auditViewStep,
  auditChainStep,
  marketplaceStep,
  marketplaceAccessStep,
  marketplaceDownloadsStep,
  harvestRunsStep,
  auditRetentionStep,
  administrationStep,
  tenantRemovalsStep,
  searchCountingStep,
  querySecretsStep,
  singleSignOnStep,
  loginFailuresStep,
  auditVersionsStep,
  queryProgressStep,
  trustedEmailStep,
  narrowScopesStep,
  waitingQueriesStep,
  durableWriteProbeStep,
  searchFoldingStep,
  removedPermissionStep,
  emailDomainsStep,
  metadataImportsStep,
  queryHistoryStep,
  catalogCountsStep,
  adminCancelsStep,
  datamapReadsStep,
  datamapParametersStep,
  auditSetAsideStep,
  sessionUseStep,
  singleStatementsStep,
];
