import type { Caller } from '@sluice/contract';
import { type AuditPageReaderDependencies, createAuditPageReader } from './audit-page-reader.ts';
import type { AuditPageStates } from './audit-page-states.ts';

interface NextAuditPageDependencies extends AuditPageReaderDependencies {
  readonly pageStates: AuditPageStates;
}

export type NextAuditPage = (caller: Caller, token: string) => Promise<Buffer>;

/**
 * Returns the page of a token as JSON in UTF-8. Throws `invalid_page_token` for a token that is unknown, expired or of another caller, and
 * `audit_unavailable` when the read cannot be recorded.
 */
export function createNextAuditPage(dependencies: NextAuditPageDependencies): NextAuditPage {
  const readPage = createAuditPageReader(dependencies);
  return async (caller, token) => {
    const { tenant, id: accountId } = caller.principal;
    return await readPage(caller, await dependencies.pageStates.get({ tenantId: tenant.id, accountId }, token));
  };
}
