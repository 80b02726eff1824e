import { ifUnchanged, useClient, type Versioned } from '../api/use-client.ts';
import { useVersionedEdit, type VersionedEdit } from '../api/use-versioned-edit.ts';
import type { ConflictChoice } from '../ui/conflict-panel.tsx';
import {
  conflictsOf,
  type DescribedObject,
  DISPLAY_NAME,
  type EditableValue,
  type EditConflict,
  type EnteredValue,
  editedValue,
  editsAfterSave,
  importObjectsOf,
  type MetadataEdits,
  NO_EDITS,
  type RemovedValue,
  removedBy,
  resolveConflict,
  withEdits,
} from './metadata-edit.ts';

/** Changes of the descriptions and tags of one object that are not saved yet. */
export interface MetadataEdit extends Omit<VersionedEdit<MetadataEdits>, 'edit' | 'change' | 'hasConflict'> {
  readonly hasEdits: boolean;
  /** Whether the name of the object is blank. Only datamaps have one. */
  readonly isUnnamed: boolean;
  readonly conflicts: readonly EditConflict[];
  /** Descriptions and tags that saving removes. */
  readonly removed: readonly RemovedValue[];
  editedValue(key: string): EditableValue;
  isChanged(key: string): boolean;
  change(key: string, mine: EditableValue): void;
  changeAll(entered: readonly EnteredValue[]): void;
  resolve(conflict: EditConflict, choice: ConflictChoice): void;
}

interface MetadataEditInput {
  readonly read: Versioned<DescribedObject>;
  readonly refetch: () => Promise<Versioned<DescribedObject> | undefined>;
}

class RejectedChange extends Error {}

const orNothing = (edits: MetadataEdits): MetadataEdits | undefined =>
  Object.keys(edits).length === 0 ? undefined : edits;

/** Edits the descriptions and tags of an object. */
export function useMetadataEdit({ read, refetch }: MetadataEditInput): MetadataEdit {
  const client = useClient();
  const {
    edit,
    hasConflict: _,
    ...versioned
  } = useVersionedEdit<DescribedObject, MetadataEdits, void>({
    draftId: read.value.id,
    sample: NO_EDITS,
    read,
    refetch,
    isConflict: (object, edits) => conflictsOf(object, edits).length > 0,
    rest: (edits, sent) => orNothing(editsAfterSave(edits, sent)),
    async send(current, edits, options) {
      const { metadata_results: results } = await client.api.importMetadata({
        body: { metadata_objects: importObjectsOf(current.value, edits) },
        ...ifUnchanged(current),
        ...options,
      });
      const rejected = results.find(({ success }) => !success);
      if (rejected !== undefined) throw new RejectedChange(rejected.error_message ?? '');
    },
  });
  const edits = edit ?? NO_EDITS;
  const update = (next: MetadataEdits): void => versioned.change(orNothing(next));
  return {
    ...versioned,
    hasEdits: edit !== undefined,
    isUnnamed: editedValue(read.value, edits, DISPLAY_NAME)?.toString().trim() === '',
    conflicts: conflictsOf(read.value, edits),
    removed: removedBy(edits),
    editedValue: (key) => editedValue(read.value, edits, key) ?? '',
    isChanged: (key) => Object.hasOwn(edits, key),
    change: (key, mine) => update(withEdits(read.value, edits, [{ key, mine }])),
    changeAll: (entered) => update(withEdits(read.value, edits, entered)),
    resolve: (conflict, choice) => update(resolveConflict(edits, conflict, choice)),
  };
}
