import type { Client, FoundDatamap } from '@sluice/client';
import { ifUnchanged, readVersioned, type Versioned } from '../../api/use-client.ts';
import type { DatamapSource } from '../../datamaps/save-datamap-dialog.tsx';
import type { SavedQueryReference } from '../../editor/drafts/draft.ts';
import { declaredEntry } from '../../editor/parameters/declared-entry.ts';
import type { ParameterEntry } from '../../editor/parameters/parameter-entry.ts';

export const sqlOf = ({ datamap }: FoundDatamap): string => datamap.advanced_mode.sql ?? '';

/** Returns the fields of a form for the declared parameters of a saved query. */
export const entriesOf = ({ datamap }: FoundDatamap): Readonly<Record<string, ParameterEntry>> =>
  Object.fromEntries(datamap.parameters.map((parameter) => [parameter.name, declaredEntry(parameter)]));

/** Reads a saved query. Throws `not_found` or `access_denied` if it is not one of this user. */
export const readSavedQuery = (client: Client, id: string): Promise<Versioned<FoundDatamap>> =>
  readVersioned((options) => client.api.getDatamap({ params: { id }, ...options }));

/** A statement that becomes the text of a saved query. */
export interface QueryToSave {
  readonly name: string;
  /** Whether the user gave the name now. Otherwise a saved query keeps the name that it may have got elsewhere. */
  readonly isNamed: boolean;
  readonly source: DatamapSource;
  /** Undefined: a new query. */
  readonly reference: SavedQueryReference | undefined;
}

/** Outcome of saving. `conflict`: the query was changed elsewhere, and nothing was saved. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly name: string; readonly reference: SavedQueryReference }
  | { readonly kind: 'conflict'; readonly stored: Versioned<FoundDatamap> };

/**
 * Saves a query. Descriptions and defaults of parameters that keep their type stay. Throws what the host answers: the error of the engine for
 * wrong SQL, `not_found` for a query that was removed.
 */
export async function saveQuery(client: Client, saving: QueryToSave): Promise<SaveOutcome> {
  const { name, isNamed, source, reference } = saving;
  const { sql } = source;
  if (reference === undefined) {
    const body = { name, sql, parameters: [...source.parameters] };
    const { value, entityTag } = await readVersioned((options) => client.api.createDatamap({ body, ...options }));
    return { kind: 'saved', name, reference: { id: value.id, entityTag } };
  }
  const stored = await readSavedQuery(client, reference.id);
  const isChanged = stored.entityTag !== reference.entityTag && sqlOf(stored.value) !== sql;
  if (isChanged) return { kind: 'conflict', stored };
  const declared = stored.value.datamap.parameters;
  const parameters = source.parameters.map(
    (parameter) => declared.find((each) => each.name === parameter.name && each.type === parameter.type) ?? parameter,
  );
  const body = { ...(isNamed ? { name, display_name: name } : {}), sql, parameters };
  const params = { id: reference.id };
  const { value, entityTag } = await readVersioned((options) =>
    client.api.updateDatamap({ params, body, ...ifUnchanged(stored), ...options }),
  );
  return { kind: 'saved', name: value.datamap.display_name, reference: { id: value.id, entityTag } };
}
