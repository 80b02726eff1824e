import type { SqlDialect } from '@sluice/contract/sql';
import type { CompletionCatalog } from '../completion/completion-catalog.ts';
import { completeSql } from '../completion/completion-source.ts';
import { formTypeOf } from './declared-entry.ts';
import type { FormType } from './parameter-entry.ts';
import { findParameterUses } from './parameter-uses.ts';

/** Types of parameters by name, as far as the statement tells them. */
export type GuessedTypes = Readonly<Record<string, FormType>>;

/** Guesses the types of parameters from their casts, and from the types of the columns that they are compared with. */
export async function guessTypes(
  text: string,
  dialect: SqlDialect,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<GuessedTypes> {
  const guesses = [...findParameterUses(text, dialect)].map(async ([name, use]) => {
    const type = use.kind === 'cast' ? use.type : await typeOfColumn(use);
    return type === undefined ? [] : [[name, formTypeOf(type)] as const];
  });
  return Object.fromEntries((await Promise.all(guesses)).flat());

  /** The completion at the end of the name finds the column in the tables of its statement. */
  async function typeOfColumn({
    name,
    end,
  }: {
    readonly name: string;
    readonly end: number;
  }): Promise<string | undefined> {
    const list = await completeSql({ text, cursor: end, dialect, isExplicit: true }, catalog, signal);
    const column = list?.options.find(
      ({ kind, label }) => kind === 'column' && label.toLowerCase() === name.toLowerCase(),
    );
    return column?.detail ?? undefined;
  }
}
