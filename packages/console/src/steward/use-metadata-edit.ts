import { useRef, useState } from 'react';
import { isOutdated } from '../api/describe-error.ts';
import { keepDraft, readDraft } from '../api/kept-draft.ts';
import { keepRequestId } from '../api/request-id.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, type Versioned } from '../api/versioned.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import {
  conflictsOf,
  type DescribedObject,
  DISPLAY_NAME,
  type EditableValue,
  type EditConflict,
  editedValue,
  editsAfterSave,
  importObjectOf,
  type MetadataEdits,
  NO_EDITS,
  type RemovedValue,
  removedBy,
  resolveConflict,
  withEdit,
} from './metadata-edit.ts';

/** Changes of one object that are not saved yet. */
export interface MetadataEdit {
  readonly isOpen: boolean;
  /** Whether the changes are from an earlier visit of the page. */
  readonly isRestored: boolean;
  /** Whether the browser keeps the changes when the page is left. */
  readonly isKept: boolean;
  readonly hasEdits: boolean;
  /** Whether the name of the object is blank. Only datamaps have one. */
  readonly isUnnamed: boolean;
  readonly conflicts: readonly EditConflict[];
  /** Descriptions and tags that saving removes. */
  readonly removed: readonly RemovedValue[];
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  /** Id of the request that saved the last changes. */
  readonly savedBy: string | undefined;
  editedValue(key: string): EditableValue;
  open(): void;
  change(key: string, mine: EditableValue): void;
  resolve(conflict: EditConflict, choice: 'mine' | 'theirs'): void;
  /** Sends the changes. Changes of somebody else that touch the same values become conflicts, and nothing is sent. */
  save(): void;
  discard(): void;
}

interface MetadataEditInput {
  readonly read: Versioned<DescribedObject>;
  /** Reads the object again. */
  readonly reread: () => Promise<Versioned<DescribedObject> | undefined>;
}

/** Maximum number of attempts to save while other users change other values of the object. */
const ATTEMPTS_MAX = 5;

class RejectedChange extends Error {}

/** Edits the descriptions and tags of an object. What the user has typed is kept in the browser until it is saved or discarded. */
export function useMetadataEdit({ read, reread }: MetadataEditInput): MetadataEdit {
  const client = useClient();
  const user = useCurrentUser();
  const { id } = read.value;
  const owner = `${user.tenant} ${user.id}`;
  const [draft] = useState(() => readDraft<MetadataEdits>(owner, id));
  const [edits, setEdits] = useState(draft ?? NO_EDITS);
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [isRestored, setRestored] = useState(draft !== undefined);
  const [isKept, setKept] = useState(true);
  const [savedBy, setSavedBy] = useState<string>();
  const latest = useRef(edits);
  const update = (next: MetadataEdits): void => {
    latest.current = next;
    setEdits(next);
    setKept(keepDraft(owner, id, Object.keys(next).length === 0 ? undefined : next));
  };
  const close = (): void => {
    update(NO_EDITS);
    setOpen(false);
    setRestored(false);
  };

  const send = async (current: Versioned<DescribedObject>, sent: MetadataEdits): Promise<string> => {
    const kept = keepRequestId();
    const { metadata_results: results } = await client.api.importMetadata({
      body: { metadata_objects: [importObjectOf(current.value, sent)] },
      ...ifUnchanged(current),
      onResponse: kept.onResponse,
    });
    const [result] = results;
    if (result !== undefined && !result.success) throw new RejectedChange(result.error_message ?? '');
    return kept.id;
  };

  const { start, isRunning, failure } = useAction(async () => {
    let current: Versioned<DescribedObject> | undefined = read;
    for (let attempt = 1; current !== undefined; attempt += 1) {
      const sent = latest.current;
      if (conflictsOf(current.value, sent).length > 0) return;
      try {
        setSavedBy(await send(current, sent));
        await reread();
        const typed = editsAfterSave(latest.current, sent);
        if (Object.keys(typed).length === 0) close();
        else update(typed);
        return;
      } catch (error) {
        if (!isOutdated(error) || attempt === ATTEMPTS_MAX) throw error;
        current = await reread();
      }
    }
  });

  return {
    isOpen,
    isRestored,
    isKept,
    hasEdits: Object.keys(edits).length > 0,
    isUnnamed: editedValue(read.value, edits, DISPLAY_NAME)?.toString().trim() === '',
    conflicts: conflictsOf(read.value, edits),
    removed: removedBy(edits),
    saving: { isRunning, failure },
    savedBy,
    editedValue: (key) => editedValue(read.value, edits, key) ?? '',
    open() {
      setOpen(true);
      setSavedBy(undefined);
    },
    change: (key, mine) => update(withEdit(read.value, edits, { key, mine })),
    resolve: (conflict, choice) => update(resolveConflict(edits, conflict, choice)),
    save: () => void start(),
    discard: close,
  };
}
