import type { ShownKind } from '../router/search-address.ts';
import type { IconName } from '../ui/icon.tsx';

/** Picture of each kind of objects. */
export const KIND_ICONS: Readonly<Record<ShownKind, IconName>> = {
  datamap: 'datamap',
  table: 'table',
  view: 'view',
  item: 'market',
  draft: 'edit',
};
