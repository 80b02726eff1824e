import type { SearchKind } from '../router/search-address.ts';
import type { IconName } from '../ui/icon.tsx';

/** Picture of each kind of objects. */
export const KIND_ICONS: Readonly<Record<SearchKind, IconName>> = {
  datamap: 'datamap',
  table: 'table',
  view: 'view',
  item: 'market',
};
