import type { FoundDatamap } from '@sluice/client';
import { ifUnchanged, useClient, type Versioned } from '../../api/use-client.ts';
import { useVersionedEdit, type VersionedEdit } from '../../api/use-versioned-edit.ts';
import type { ConflictChoice } from '../../ui/conflict-panel.tsx';
import {
  type DeclaredParameter,
  declarationOf,
  draftOfParameter,
  isSameParameter,
  NEW_PARAMETER,
  type ParameterDraft,
} from './parameter-draft.ts';

/** Typed statement and parameters, and the stored definition from the time when the user began. */
interface StatementDraft {
  readonly before: string;
  readonly mine: {
    readonly sql: string;
    /** Changed declarations by the name of the parameter. */
    readonly parameters: Readonly<Record<string, ParameterDraft>>;
  };
}

/** A statement and its parameters that are not saved yet. */
export interface StatementEdit extends Omit<VersionedEdit<StatementDraft>, 'edit' | 'change' | 'save'> {
  readonly text: string;
  readonly hasEdits: boolean;
  readonly stored: string;
  /** Returns the declaration of a parameter of the text. */
  parameter(name: string): ParameterDraft;
  change(text: string): void;
  changeParameter(name: string, draft: ParameterDraft): void;
  resolve(choice: ConflictChoice): void;
  /** Saves the statement. The engine describes one without changes again. */
  save(): void;
}

interface StatementEditInput {
  readonly found: Versioned<FoundDatamap>;
  readonly refetch: () => Promise<Versioned<FoundDatamap> | undefined>;
  /** Returns the names of the parameters of a statement. */
  readonly parametersIn: (sql: string) => readonly string[];
}

const sqlOf = ({ datamap }: FoundDatamap): string => datamap.advanced_mode.sql ?? '';
/** Returns what the engine describes, as one string to compare. */
const definitionOf = (found: FoundDatamap): string => JSON.stringify([sqlOf(found), found.datamap.parameters]);

const declaredIn = ({ datamap }: FoundDatamap, name: string): DeclaredParameter | undefined =>
  datamap.parameters.find((each) => each.name === name);

const storedParameter = (found: FoundDatamap, name: string): ParameterDraft => {
  const declared = declaredIn(found, name);
  return declared === undefined ? NEW_PARAMETER : draftOfParameter(declared);
};

/** Edits the statement of a datamap. The engine checks it before it is saved. */
export function useStatementEdit({ found, refetch, parametersIn }: StatementEditInput): StatementEdit {
  const client = useClient();
  const { value } = found;
  const { edit, change, ...versioned } = useVersionedEdit<FoundDatamap, StatementDraft, void>({
    draftId: `${value.id} statement`,
    sample: { before: '', mine: { sql: '', parameters: {} } },
    read: found,
    refetch,
    isConflict: (current, { before }) => before !== definitionOf(current),
    rest: (typed, sent, saved) => (typed === sent ? undefined : { ...typed, before: definitionOf(saved) }),
    async send(current, { mine: { sql, parameters } }, options) {
      const declarations = parametersIn(sql).map((name) =>
        declarationOf(name, parameters[name] ?? storedParameter(value, name), declaredIn(value, name)),
      );
      await client.api.updateDatamap({
        params: { id: current.value.id },
        body: { sql, parameters: declarations },
        ...ifUnchanged(current),
        ...options,
      });
    },
  });
  const stored = sqlOf(value);
  const begun: StatementDraft = { before: definitionOf(value), mine: { sql: stored, parameters: {} } };
  const { before, mine } = edit ?? begun;
  const { sql, parameters } = mine;
  const update = (next: StatementDraft['mine']): void => {
    const isSame = next.sql === stored && Object.keys(next.parameters).length === 0;
    change(isSame ? undefined : { before, mine: next });
  };
  return {
    ...versioned,
    ...{ text: sql, hasEdits: edit !== undefined, stored },
    parameter: (name) => parameters[name] ?? storedParameter(value, name),
    change: (text) => update({ sql: text, parameters }),
    changeParameter(name, next) {
      const { [name]: _before, ...others } = parameters;
      const isSame = isSameParameter(next, storedParameter(value, name));
      update({ sql, parameters: isSame ? others : { ...others, [name]: next } });
    },
    resolve: (choice) => change(choice === 'mine' ? { before: begun.before, mine } : undefined),
    save: () => versioned.save(begun),
  };
}
