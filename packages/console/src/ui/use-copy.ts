import { useTranslation } from '../i18n/translate.tsx';
import { notify } from './notifications.tsx';

/** Returns a function that copies a string and resolves with whether the browser allowed it. If not, a notification says what to do. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      notify({ tone: 'danger', text: t('action.copy-denied') });
      return false;
    }
  };
}
