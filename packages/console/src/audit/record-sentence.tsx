import type { AuditEntry } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { sentenceKey } from './audit-actions.ts';

/** Sentence that says what a user did to which object. */
export function RecordSentence({ record }: { readonly record: Pick<AuditEntry, 'user' | 'action' | 'target'> }) {
  const { t } = useTranslation();
  const { user, action, target } = record;
  const values = { user: visibleText(user), action: visibleText(action), target: visibleText(target) };
  return <bdi>{t(sentenceKey(action), values)}</bdi>;
}
