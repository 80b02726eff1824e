import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import type { AccessRequest, AccessState } from './access-state.ts';

const ACCESS_TONES = {
  owner: 'accent',
  granted: 'success',
  requested: 'info',
  refused: 'danger',
  ended: 'warning',
  none: 'neutral',
} as const;

/** The access of the user to an item in a word. */
export function AccessBadge({ access }: { readonly access: AccessState['kind'] }) {
  const { t } = useTranslation();
  return <Badge tone={ACCESS_TONES[access]}>{t(`market.access.${access}`)}</Badge>;
}

const REQUEST_TONES = { PENDING: 'info', APPROVED: 'success', REFUSED: 'danger' } as const;

/** The state of a request in a word. */
export function RequestBadge({ state }: Pick<AccessRequest, 'state'>) {
  const { t } = useTranslation();
  return <Badge tone={REQUEST_TONES[state]}>{t(`requests.state.${state}`)}</Badge>;
}
