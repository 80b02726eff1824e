import type { FoundDatamap } from '@sluice/client';
import { formatTime, isoTime } from '../times/format-time.ts';
import type { ListColumn } from './print-list.ts';

/** Columns of a list of datamaps. */
export const DATAMAP_COLUMNS: readonly ListColumn<FoundDatamap>[] = [
  { title: 'Id', isWhole: true, cell: ({ id }) => id },
  { title: 'Name', cell: ({ datamap }) => datamap.display_name },
  { title: 'State', isWhole: true, cell: ({ datamap }) => datamap.state },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Owner', cell: ({ datamap }) => datamap.assigned.to },
  { title: 'Updated', cell: (entry) => formatTime(entry.updated_ts), value: (entry) => isoTime(entry.updated_ts) },
];
