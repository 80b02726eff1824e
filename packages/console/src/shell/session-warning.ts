import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { notify } from '../ui/notifications.tsx';

const WARNING_MS = 5 * 60_000;
/** Longest delay that browsers support. */
const DELAY_MAX_MS = 2 ** 31 - 1;

/** Says five minutes before the end of the session that it will end, which no renewal of tokens prevents. */
export function useSessionWarning(): void {
  const { t, formatTime } = useTranslation();
  const { session_expires_ts: expires } = useCurrentUser();
  useEffect(() => {
    if (expires === null) return;
    const delay = expires - WARNING_MS - Date.now();
    if (delay < 0 || delay > DELAY_MAX_MS) return;
    const timer = setTimeout(
      () => notify({ text: t('session.ends-soon', { time: formatTime(expires) }), tone: 'danger' }),
      delay,
    );
    return () => clearTimeout(timer);
  }, [expires, formatTime, t]);
}
