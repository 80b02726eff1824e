import { useState } from 'react';
import type { Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/layout.tsx';

interface UnsavedNoteProps {
  readonly isChanged: boolean;
  readonly onDiscard: () => void;
}

/** Says that fields are not saved yet, and offers to discard them. */
export function UnsavedNote({ isChanged, onDiscard }: UnsavedNoteProps) {
  const { t } = useTranslation();
  if (!isChanged) return null;
  return (
    <Note role="status">
      {t('admin.unsaved')}{' '}
      <Button size="s" onPress={onDiscard}>
        {t('admin.unsaved.discard')}
      </Button>
    </Note>
  );
}

/** Fields of a form that are not saved, and the version that they change. */
interface UnsavedEdit<Value, Draft> {
  readonly base: Versioned<Value>;
  readonly draft: Draft;
}

/** An edit in progress. */
interface Edit<Value, Draft> extends UnsavedEdit<Value, Draft> {
  /** Whether a field differs from the version that it changes. */
  readonly isChanged: boolean;
  readonly change: (draft: Draft) => void;
  /** Shows the version before the changes. */
  readonly discard: () => void;
  /** Keeps the changes no longer: they are saved, or another version will be shown. */
  readonly forget: () => void;
}

/**
 * Edits by the name of their form. They are in the memory of the page only, because a field may hold a secret. The page loads anew for
 * another user.
 */
const unsaved = new Map<string, UnsavedEdit<unknown, unknown>>();

/**
 * Returns the fields of a form, which stay when the user looks at another tab or page meanwhile.
 * @param name - name of the form
 * @param current - the version that the host has now. An edit of an earlier one keeps that, so that the host rejects an overtaken change
 */
export function useUnsavedEdit<Value, Draft>(
  name: string,
  current: Versioned<Value>,
  draftOf: (value: Value) => Draft,
): Edit<Value, Draft> {
  const fresh = (): UnsavedEdit<Value, Draft> => ({ base: current, draft: draftOf(current.value) });
  const textOf = (value: unknown): string => JSON.stringify(value);
  const [edit, setEdit] = useState(() => (unsaved.get(name) as UnsavedEdit<Value, Draft> | undefined) ?? fresh());
  return {
    ...edit,
    isChanged: textOf(edit.draft) !== textOf(draftOf(edit.base.value)),
    change(draft) {
      const next = { base: edit.base, draft };
      if (textOf(draft) === textOf(draftOf(edit.base.value))) unsaved.delete(name);
      else unsaved.set(name, next);
      setEdit(next);
    },
    forget: () => void unsaved.delete(name),
    discard() {
      unsaved.delete(name);
      setEdit(fresh());
    },
  };
}
