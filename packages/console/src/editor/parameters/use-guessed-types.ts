import type { SqlDialect } from '@sluice/contract/sql';
import { useCallback, useRef, useState } from 'react';
import type { CompletionCatalog } from '../completion/completion-catalog.ts';
import { type GuessedTypes, guessTypes } from './guess-types.ts';

/** Texts whose parameters get a type. The guess reads each token. */
const TEXT_MAX = 65_536;
const NONE: GuessedTypes = {};

/** Guesses the types of the parameters of a text. Only the guess of the last text counts. */
export function useGuessedTypes(
  dialect: SqlDialect,
  catalog: CompletionCatalog,
): { readonly types: GuessedTypes; readonly guess: (text: string) => void } {
  const [types, setTypes] = useState(NONE);
  const running = useRef<AbortController>(undefined);
  const guess = useCallback(
    (text: string): void => {
      running.current?.abort();
      if (!text.includes('$') || text.length > TEXT_MAX) {
        setTypes(NONE);
        return;
      }
      const abort = new AbortController();
      running.current = abort;
      guessTypes(text, dialect, catalog, abort.signal)
        .then((guessed) => abort.signal.aborted || setTypes(guessed))
        // Without the catalog, the fields stay text until the user chooses a type.
        .catch(() => undefined);
    },
    [dialect, catalog],
  );
  return { types, guess };
}
