import type { ApiOperationTypes, FoundDatamap } from '@sluice/client';
import { useState } from 'react';
import { keepDraft, readDraft } from '../../api/kept-draft.ts';
import { type Action, useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { ifUnchanged, type Versioned } from '../../api/versioned.ts';
import { useCurrentUser } from '../../session/session-context.tsx';

type DatamapChange = ApiOperationTypes['updateDatamap']['body'];

/** What is typed, and the statement that was there before. */
interface StatementDraft {
  readonly before: string;
  readonly mine: string;
}

/** A statement that is not saved yet. */
export interface StatementEdit {
  readonly isOpen: boolean;
  readonly text: string;
  /** Whether somebody else has stored another statement since the user began. */
  readonly isConflict: boolean;
  readonly stored: string;
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  /** Id of the request that saved the last statement. */
  readonly savedBy: string | undefined;
  open(): void;
  change(text: string): void;
  resolve(choice: 'mine' | 'theirs'): void;
  /** Saves the statement, which the engine checks first. `typeOf` names the type of a parameter that is new. */
  save(names: readonly string[], typeOf: (name: string) => string): void;
  discard(): void;
}

interface StatementEditInput {
  readonly found: Versioned<FoundDatamap>;
  readonly reread: () => Promise<Versioned<FoundDatamap> | undefined>;
}

const ATTEMPTS_MAX = 5;

const sqlOf = ({ value }: Versioned<FoundDatamap>): string => value.datamap.advanced_mode.sql ?? '';
const isOutdated = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'precondition_failed';

/** Edits the statement of a datamap. What is typed is kept in the browser until it is saved or discarded. */
export function useStatementEdit({ found, reread }: StatementEditInput): StatementEdit {
  const client = useClient();
  const user = useCurrentUser();
  const owner = `${user.tenant} ${user.id}`;
  const draftId = `${found.value.id} statement`;
  const stored = sqlOf(found);
  const [draft] = useState(() => readDraft<StatementDraft>(owner, draftId));
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [edit, setEdit] = useState(draft ?? { before: stored, mine: stored });
  const [savedBy, setSavedBy] = useState<string>();
  const update = (next: StatementDraft): void => {
    setEdit(next);
    keepDraft(owner, draftId, next.before === next.mine ? undefined : next);
  };
  const close = (): void => {
    keepDraft(owner, draftId, undefined);
    setOpen(false);
  };
  const { start, isRunning, failure } = useAction<Partial<Pick<DatamapChange, 'parameters'>>>(async (parameters) => {
    let current: Versioned<FoundDatamap> | undefined = found;
    for (let attempt = 1; current !== undefined; attempt += 1) {
      const other = sqlOf(current);
      if (other !== edit.before && other !== edit.mine) return;
      let requestId = '';
      try {
        await client.api.updateDatamap({
          params: { id: current.value.id },
          body: { sql: edit.mine, ...parameters },
          ...ifUnchanged(current),
          onResponse: ({ headers }) => {
            requestId = headers.get('x-request-id') ?? '';
          },
        });
        await reread();
        setSavedBy(requestId);
        close();
        return;
      } catch (error) {
        if (!isOutdated(error) || attempt === ATTEMPTS_MAX) throw error;
        current = await reread();
      }
    }
  });
  return {
    isOpen,
    text: edit.mine,
    isConflict: stored !== edit.before && stored !== edit.mine,
    stored,
    saving: { isRunning, failure },
    savedBy,
    open() {
      setEdit({ before: stored, mine: stored });
      setSavedBy(undefined);
      setOpen(true);
    },
    change: (text) => update({ before: edit.before, mine: text }),
    resolve: (choice) => update({ before: stored, mine: choice === 'mine' ? edit.mine : stored }),
    save(names, typeOf) {
      const declared = found.value.datamap.parameters;
      const isSame = names.length === declared.length && declared.every(({ name }) => names.includes(name));
      // Declarations that stay are not sent: a default may have more digits than a number of the page.
      if (isSame) return void start({});
      const kept = (name: string) => declared.find((each) => each.name === name);
      void start({ parameters: names.map((name) => kept(name) ?? { name, type: typeOf(name) }) });
    },
    discard: close,
  };
}
