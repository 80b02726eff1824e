import type { Client } from '@sluice/client';
import { useSession } from '../session/session-context.tsx';

/** Returns the one client of the page, with the session of its user. */
export const useClient = (): Client => useSession().client;
