import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';

/** Accounts that are named. The others are counted. */
const NAMED_MAX = 10;

/** Returns a function that names accounts in one list: `a, b and 3 more accounts`. */
export function useAccountNames(): (accounts: readonly string[]) => string {
  const { t, language } = useTranslation();
  const list = new Intl.ListFormat(language);
  return (accounts) => {
    const named = accounts.slice(0, accounts.length > NAMED_MAX + 1 ? NAMED_MAX : accounts.length).map(visibleText);
    const more = accounts.length - named.length;
    return list.format(more === 0 ? named : [...named, t('admin.impact.more', { count: more })]);
  };
}
