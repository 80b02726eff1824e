import { useRef, useState } from 'react';
import { useCurrentUser } from '../session/session-context.tsx';
import { isOutdated } from './describe-error.ts';
import { hasShape } from './has-shape.ts';
import { type Action, type RequestOptions, useAction } from './use-action.ts';
import type { Versioned } from './use-client.ts';

const keyOf = (owner: string, id: string): string => `sluice.draft ${owner} ${id}`;

/** Returns what this user has typed about an object in this browser and not saved yet. */
function readDraft<Draft extends object>(key: string, sample: Draft): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return hasShape(sample, stored) ? stored : undefined;
  } catch {
    // If the storage is disabled or damaged, only the draft is lost, at a reload.
    return undefined;
  }
}

/** Stores a draft until it is saved or discarded (undefined). Returns false if the browser cannot store it. */
function storeDraft(key: string, draft: object | undefined): boolean {
  try {
    if (draft === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Returns the key under which the browser stores what the user has typed about an object. */
function useDraftKey(): (id: string) => string {
  const user = useCurrentUser();
  return (id) => keyOf(`${user.tenant} ${user.id}`, id);
}

/** Drafts in the storage of the browser, for code that does not edit the object itself. */
export function useStoredDrafts(): { has(id: string): boolean; forget(id: string): void } {
  const draftKey = useDraftKey();
  return {
    has: (id) => readDraft(draftKey(id), {}) !== undefined,
    forget: (id) => void storeDraft(draftKey(id), undefined),
  };
}

interface VersionedEditInput<Value, Edit extends object, Result> {
  /** Id of the draft in the storage of the browser. */
  readonly draftId: string;
  /** An edit with all members that a stored one must have. */
  readonly sample: Edit;
  /** The object as it was last read. */
  readonly read: Versioned<Value>;
  readonly refetch: () => Promise<Versioned<Value> | undefined>;
  /** Checks whether somebody else has changed what this edit changes since the user began. */
  readonly isConflict: (value: Value, edit: Edit) => boolean;
  /** Sends the edit with the entity tag of `current`. */
  readonly send: (current: Versioned<Value>, edit: Edit, options: RequestOptions) => Promise<Result>;
  /**
   * Returns what the user has typed while `sent` was being saved; undefined: nothing.
   * @param saved - the object after the change
   */
  readonly rest: (edit: Edit, sent: Edit, saved: Value) => Edit | undefined;
  /** Called after the edit is saved, with the id of the request. */
  readonly onSaved?: ((result: Result, requestId: string) => void) | undefined;
}

/** Changes of one object that are not saved yet. */
export interface VersionedEdit<Edit> {
  /** Undefined: nothing is changed. */
  readonly edit: Edit | undefined;
  /** Whether the form is shown, for objects that are read first. */
  readonly isOpen: boolean;
  /** Whether the changes are from an earlier visit of the page. */
  readonly isRestored: boolean;
  /** Whether the browser stores the changes when the page is left. */
  readonly isStored: boolean;
  readonly hasConflict: boolean;
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  /** Id of the request that saved the last changes. */
  readonly savedBy: string | undefined;
  open(): void;
  change(edit: Edit | undefined): void;
  /** Sends the changes, or `unchanged` if there are none. Nothing is sent if somebody else has changed the same. */
  save(unchanged?: Edit): void;
  /** Forgets the changes and closes the form. */
  discard(): void;
}

/** Maximum number of attempts to save while other users change other parts of the object. */
const ATTEMPTS_MAX = 5;

/**
 * Edits an object that others may change at the same time. What the user has typed is stored in the browser until it is saved or discarded.
 * A change of others is a conflict only if it touches what the user has changed; otherwise the edit is sent again with their version.
 */
export function useVersionedEdit<Value, Edit extends object, Result>(
  input: VersionedEditInput<Value, Edit, Result>,
): VersionedEdit<Edit> {
  const { read, refetch, isConflict, send, rest, onSaved } = input;
  const key = useDraftKey()(input.draftId);
  const [restored] = useState(() => readDraft(key, input.sample));
  const [edit, setEdit] = useState(restored);
  const [isOpen, setOpen] = useState(restored !== undefined);
  const [isRestored, setRestored] = useState(restored !== undefined);
  const [isStored, setStored] = useState(true);
  const [savedBy, setSavedBy] = useState<string>();
  const latest = useRef(edit);
  const change = (next: Edit | undefined): void => {
    latest.current = next;
    setEdit(next);
    setStored(storeDraft(key, next));
  };
  const discard = (): void => {
    change(undefined);
    setOpen(false);
    setRestored(false);
  };
  const { start, isRunning, failure } = useAction(
    async (
      unchanged: Edit | undefined,
      options,
    ): Promise<{ readonly sent: Edit; readonly result: Result } | undefined> => {
      let current: Versioned<Value> | undefined = read;
      for (let attempt = 1; current !== undefined; attempt += 1) {
        const sent = latest.current ?? unchanged;
        if (sent === undefined || isConflict(current.value, sent)) return undefined;
        try {
          return { sent, result: await send(current, sent, options) };
        } catch (error) {
          if (!isOutdated(error) || attempt === ATTEMPTS_MAX) throw error;
          current = await refetch();
        }
      }
      return undefined;
    },
    {
      async onDone({ result: saved, requestId }) {
        if (saved === undefined) return;
        const { value } = (await refetch()) ?? read;
        const typed = latest.current === undefined ? undefined : rest(latest.current, saved.sent, value);
        if (typed === undefined) discard();
        else change(typed);
        setSavedBy(requestId);
        onSaved?.(saved.result, requestId);
      },
    },
  );
  return {
    ...{ edit, isOpen, isRestored, isStored, savedBy, change, discard },
    hasConflict: edit !== undefined && !isRunning && isConflict(read.value, edit),
    saving: { isRunning, failure },
    open() {
      setOpen(true);
      setSavedBy(undefined);
    },
    save: (unchanged) => void start(unchanged),
  };
}
