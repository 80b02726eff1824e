import type { FoundDatamap } from '@sluice/client';
import { useMemo } from 'react';
import type { Versioned } from '../api/use-client.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { describedObject } from '../steward/metadata-edit.ts';
import { useMetadataEdit } from '../steward/use-metadata-edit.ts';

const describeDatamap = ({ value, entityTag }: Versioned<FoundDatamap>) => {
  const { id, description, tags, topic_ids: domains, datamap } = value;
  const own = { display_name: datamap.display_name, description: description ?? '', tags, domains };
  return { value: describedObject({ type: 'DATAMAP', id }, own, datamap.datamap_fields), entityTag };
};

export interface DatamapProps {
  readonly found: Versioned<FoundDatamap>;
  readonly refetch: () => Promise<Versioned<FoundDatamap> | undefined>;
}

/** Edits what people have written about a datamap, for those who may. */
export function useDatamapEdit({ found, refetch }: DatamapProps) {
  const { permissions, user } = useCurrentUser();
  const read = useMemo(() => describeDatamap(found), [found]);
  const edit = useMetadataEdit({
    read,
    refetch: async () => {
      const again = await refetch();
      return again && describeDatamap(again);
    },
  });
  const mayEdit =
    found.value.datamap.assigned.to === user || permissions.includes('metadata:write') || permissions.includes('admin');
  return { edit, mayEdit, mayChange: mayEdit && permissions.includes('datamap:write') };
}
