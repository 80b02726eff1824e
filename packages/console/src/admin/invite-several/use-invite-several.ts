import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import type { InviteLine } from './invite-lines.ts';

/** Result of a line. */
export type LineResult =
  | { readonly state: 'waiting' }
  | { readonly state: 'invited'; readonly url: string; readonly expiresTs: number }
  | { readonly state: 'failed'; readonly message: string };

const WAITING = { state: 'waiting' } as const;
/** Requests that are in flight at once: the host changes users one after the other anyway. */
const PARALLEL = 4;

/** Invitations of a list. */
export interface SeveralInvitations {
  /** Results by e-mail. Undefined: none were sent. */
  readonly results: ReadonlyMap<string, LineResult> | undefined;
  readonly isRunning: boolean;
  /** Invites the users of these lines, and keeps earlier results. Never rejects: each line has its own result. */
  readonly invite: (lines: readonly InviteLine[]) => Promise<void>;
  /** Forgets the results, with their links. */
  readonly forget: () => void;
}

/** Returns a function that invites users, each by a request of its own: a failure of one of them takes nothing from the others. */
export function useInviteSeveral(): SeveralInvitations {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, LineResult>>();
  const [isRunning, setRunning] = useState(false);
  const note = (email: string, result: LineResult): void =>
    setResults((before) => new Map([...(before ?? []), [email, result]]));

  const inviteOne = async ({ email, roles }: InviteLine): Promise<LineResult> => {
    try {
      const { invitation } = await client.api.createUser({ body: { email, roles: [...roles] } });
      if (invitation === null) return { state: 'failed', message: t('admin.invite-several.no-link') };
      return { state: 'invited', url: invitation.url, expiresTs: invitation.expires_ts };
    } catch (error) {
      const { title, message } = describeError(error, t);
      return { state: 'failed', message: message === '' ? title : message };
    }
  };

  useLeaveQuestion(results !== undefined);
  return {
    results,
    isRunning,
    forget: () => setResults(undefined),
    async invite(lines) {
      setRunning(true);
      setResults((before) => new Map([...(before ?? []), ...lines.map(({ email }) => [email, WAITING] as const)]));
      const left = [...lines];
      const work = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) note(next.email, await inviteOne(next));
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      setRunning(false);
      void queries.invalidateQueries({ queryKey: QUERY_KEYS.admin });
    },
  };
}

/** Asks before the tab is closed with links that the host does not show again. */
function useLeaveQuestion(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
