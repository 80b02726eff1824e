import { useTranslation } from '../i18n/translate.tsx';
import { notify } from './notifications.tsx';

/** Returns a function that copies a string. It returns false, after a notification, if the browser did not allow it. */
export function useClipboard(): (text: string) => Promise<boolean> {
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
