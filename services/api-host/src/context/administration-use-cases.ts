import { createFindLimits, createPutLimits } from '../use-cases/administration/limits.ts';
import { createEndSession, createListSessions } from '../use-cases/administration/sessions.ts';
import type { ApiContext } from './context.ts';

type AdministrationContext = Pick<ApiContext, 'settings' | 'stores' | 'credentials'>;

/** The finished use-cases of the sessions and limits of a tenant. */
export type AdministrationUseCases = ReturnType<typeof createAdministrationUseCases>;

export const createAdministrationUseCases = ({ stores, credentials, settings }: AdministrationContext) => ({
  listSessions: createListSessions({ ...stores, pageTokens: credentials.pageTokens }),
  endSession: createEndSession(stores),
  findLimits: createFindLimits({ ...stores, limitDefaults: settings }),
  putLimits: createPutLimits({ ...stores, limitDefaults: settings }),
});
