import type { ApiOperationTypes, FoundDatamap } from '@sluice/client';
import { useState } from 'react';
import { isOutdated } from '../../api/describe-error.ts';
import { keepDraft, readDraft } from '../../api/kept-draft.ts';
import { keepRequestId } from '../../api/request-id.ts';
import { type Action, useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { ifUnchanged, type Versioned } from '../../api/versioned.ts';
import { useCurrentUser } from '../../session/session-context.tsx';
import {
  declarationOf,
  draftOfParameter,
  isSameParameter,
  NEW_PARAMETER,
  type ParameterDraft,
} from './parameter-draft.ts';

type DatamapChange = ApiOperationTypes['updateDatamap']['body'];

/** The statement and its parameters as somebody has typed them. */
interface StatementText {
  readonly sql: string;
  /** Changed declarations by the name of the parameter. */
  readonly parameters: Readonly<Record<string, ParameterDraft>>;
}

/** Typed statement, and the stored definition from the time when the user began. */
interface StatementDraft {
  readonly before: string;
  readonly mine: StatementText;
}

/** A statement and its parameters that are not saved yet. */
export interface StatementEdit {
  readonly isOpen: boolean;
  readonly text: string;
  readonly hasEdits: boolean;
  /** Whether somebody else has stored another statement or other parameters since the user began. */
  readonly isConflict: boolean;
  readonly stored: string;
  readonly saving: Pick<Action<void>, 'isRunning' | 'failure'>;
  /** Id of the request that saved the last statement. */
  readonly savedBy: string | undefined;
  /** Returns the declaration of a parameter of the text. */
  parameter(name: string): ParameterDraft;
  open(): void;
  change(text: string): void;
  changeParameter(name: string, draft: ParameterDraft): void;
  resolve(choice: 'mine' | 'theirs'): void;
  /** Saves the statement, which the engine checks first, with the parameters of these names. */
  save(names: readonly string[]): void;
  discard(): void;
}

interface StatementEditInput {
  readonly found: Versioned<FoundDatamap>;
  readonly reread: () => Promise<Versioned<FoundDatamap> | undefined>;
}

const ATTEMPTS_MAX = 5;

const sqlOf = ({ value }: Versioned<FoundDatamap>): string => value.datamap.advanced_mode.sql ?? '';
/** Returns what the engine describes, as one string to compare. */
const definitionOf = (found: Versioned<FoundDatamap>): string =>
  JSON.stringify([sqlOf(found), found.value.datamap.parameters]);

/** Edits the statement of a datamap. What is typed is kept in the browser until it is saved or discarded. */
export function useStatementEdit({ found, reread }: StatementEditInput): StatementEdit {
  const client = useClient();
  const user = useCurrentUser();
  const owner = `${user.tenant} ${user.id}`;
  const draftId = `${found.value.id} statement`;
  const stored = sqlOf(found);
  const begun = (): StatementDraft => ({ before: definitionOf(found), mine: { sql: stored, parameters: {} } });
  const [draft] = useState(() => readDraft<StatementDraft>(owner, draftId));
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [edit, setEdit] = useState(draft ?? begun);
  const [savedBy, setSavedBy] = useState<string>();
  const { sql, parameters } = edit.mine;
  const hasEdits = sql !== stored || Object.keys(parameters).length > 0;
  const update = (next: StatementDraft): void => {
    setEdit(next);
    const isSame = next.mine.sql === stored && Object.keys(next.mine.parameters).length === 0;
    keepDraft(owner, draftId, isSame ? undefined : next);
  };
  const close = (): void => {
    keepDraft(owner, draftId, undefined);
    setOpen(false);
  };
  const declared = (name: string) => found.value.datamap.parameters.find((each) => each.name === name);
  const storedParameter = (name: string): ParameterDraft => {
    const known = declared(name);
    return known === undefined ? NEW_PARAMETER : draftOfParameter(known);
  };
  const parameter = (name: string): ParameterDraft => parameters[name] ?? storedParameter(name);
  const { start, isRunning, failure } = useAction<DatamapChange>(async (body) => {
    let current: Versioned<FoundDatamap> | undefined = found;
    for (let attempt = 1; current !== undefined; attempt += 1) {
      if (definitionOf(current) !== edit.before) return;
      const sent = keepRequestId();
      try {
        await client.api.updateDatamap({
          params: { id: current.value.id },
          body,
          ...ifUnchanged(current),
          onResponse: sent.onResponse,
        });
        await reread();
        setSavedBy(sent.id);
        close();
        return;
      } catch (error) {
        if (!isOutdated(error) || attempt === ATTEMPTS_MAX) throw error;
        current = await reread();
      }
    }
  });
  // What the user saves differs from what was there before, until the form is closed.
  const isConflict = hasEdits && !isRunning && edit.before !== definitionOf(found);
  return {
    ...{ isOpen, text: sql, hasEdits, isConflict, stored, savedBy, parameter },
    saving: { isRunning, failure },
    open() {
      setEdit(begun());
      setSavedBy(undefined);
      setOpen(true);
    },
    change: (text) => update({ ...edit, mine: { ...edit.mine, sql: text } }),
    changeParameter(name, next) {
      const { [name]: _before, ...others } = parameters;
      const changed = isSameParameter(next, storedParameter(name)) ? others : { ...others, [name]: next };
      update({ ...edit, mine: { ...edit.mine, parameters: changed } });
    },
    resolve: (choice) => update(choice === 'mine' ? { ...edit, before: definitionOf(found) } : begun()),
    save: (names) =>
      void start({ sql, parameters: names.map((name) => declarationOf(name, parameter(name), declared(name))) }),
    discard: close,
  };
}
