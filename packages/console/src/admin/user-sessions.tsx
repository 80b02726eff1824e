import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Loaded } from '../ui/failure.tsx';
import { Note } from '../ui/layout.tsx';

/** A user has at most 50 sessions unless the operator allows more. */
const SESSIONS_SHOWN_MAX = 1000;

/** Number of open sessions of a user, and the time of the newest login. */
export function UserSessions({ id }: { readonly id: string }) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const sessions = useQuery({
    queryKey: QUERY_KEYS.adminRecord('user-sessions', id),
    queryFn: ({ signal }) => client.api.listSessions({ query: { account_id: id, size: SESSIONS_SHOWN_MAX }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Loaded query={sessions}>
      {({ data }) => (
        <Note>
          {data[0] === undefined
            ? t('admin.user.sessions.none')
            : t('admin.user.sessions', { count: data.length, time: formatTime(data[0].created_ts) })}
        </Note>
      )}
    </Loaded>
  );
}
