import { baselineStep } from './0040-baseline.ts';
import { searchNamesStep } from './0041-search-names.ts';
import { auditReadsStep } from './0043-audit-reads.ts';
import { auditTextStep } from './0044-audit-text.ts';
import { metadataChangesStep } from './0045-metadata-changes.ts';
import { metadataOwnersStep } from './0046-metadata-owners.ts';
import { outgoingMailsStep } from './0047-outgoing-mails.ts';
import { notificationSettingsStep } from './0048-notification-settings.ts';
import { authorizationCodesStep } from './0051-authorization-codes.ts';
import { deviceAuthorizationsStep } from './0052-device-authorizations.ts';
import { oauthClientsStep } from './0053-oauth-clients.ts';
import { tokenTargetsStep } from './0054-token-targets.ts';
import { serviceAccountAccessStep } from './0055-service-account-access.ts';
import { clientAssertionsStep } from './0056-client-assertions.ts';
import { newDevicesStep } from './0057-new-devices.ts';
import { providerSessionsStep } from './0059-provider-sessions.ts';
import { keptResultsStep } from './0060-kept-results.ts';
import { resultSharesStep } from './0063-result-shares.ts';
import { externalLoginsStep } from './0064-external-logins.ts';
import type { SchemaStep } from './migration.ts';

/** Client address of a login, and the beginning of its User-Agent header: users recognize their sessions by them. */
const sessionOriginsStep: SchemaStep = {
  name: '0042-session-origins',
  sql: 'alter table sessions add column address text, add column user_agent text;',
};

/** Time of the last login of a user, to some minutes. Null: no login since this step. */
const lastLoginStep: SchemaStep = {
  name: '0049-last-login',
  sql: 'alter table users add column last_login timestamptz;',
};

/** License and terms of use of an item, and the size of its last complete download. */
const itemFactsStep: SchemaStep = {
  name: '0050-item-facts',
  sql: `
  alter table marketplace_items add column license text, add column terms_of_use text;
  alter table marketplace_counts add column last_completed timestamptz, add column last_rows bigint, add column last_bytes bigint;
  alter table marketplace_counts add column last_format text;
`,
};

/**
 * `asked`: last time that a client asked for the events of a query whose result is being written. `request_key`: keyed hash of what determines
 * the result, by which a later request finds it; null for results from before this step.
 */
const resumedResultsStep: SchemaStep = {
  name: '0062-resumed-results',
  sql: 'alter table kept_results add column asked timestamptz, add column request_key bytea;',
};

/**
 * `failure`: place in the statement and name of the engine of an error, which clients of Trino expect (`FailureDetails`). `kill_message`: set
 * where a client of Trino killed the query with CALL kill_query; empty without a message.
 */
const queryFailuresStep: SchemaStep = {
  name: '0065-query-failures',
  sql: `
  alter table queries add column failure jsonb, add column kill_message text;
  alter table waiting_queries add column kill_message text;
`,
};

/**
 * All steps of the schema, in order. A list, not a folder scan: a step cannot go missing when files are bundled or renamed. A step of a few
 * lines is written here, a longer one in a file of its own.
 */
export const schemaSteps: readonly SchemaStep[] = [
  baselineStep,
  searchNamesStep,
  sessionOriginsStep,
  auditReadsStep,
  auditTextStep,
  metadataChangesStep,
  metadataOwnersStep,
  outgoingMailsStep,
  notificationSettingsStep,
  lastLoginStep,
  itemFactsStep,
  authorizationCodesStep,
  deviceAuthorizationsStep,
  oauthClientsStep,
  tokenTargetsStep,
  serviceAccountAccessStep,
  clientAssertionsStep,
  newDevicesStep,
  providerSessionsStep,
  keptResultsStep,
  resumedResultsStep,
  resultSharesStep,
  externalLoginsStep,
  queryFailuresStep,
];
