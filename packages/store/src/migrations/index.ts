import { baselineStep } from './0040-baseline.ts';
import { searchNamesStep } from './0041-search-names.ts';
import { auditReadsStep } from './0043-audit-reads.ts';
import { auditTextStep } from './0044-audit-text.ts';
import { authorizationCodesStep } from './0053-authorization-codes.ts';
import { deviceAuthorizationsStep } from './0054-device-authorizations.ts';
import type { SchemaStep } from './migration.ts';

/** Client address of a login, and the beginning of its User-Agent header: users recognize their sessions by them. */
const sessionOriginsStep: SchemaStep = {
  name: '0042-session-origins',
  sql: 'alter table sessions add column address text, add column user_agent text;',
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
  authorizationCodesStep,
  deviceAuthorizationsStep,
];
