import type { Column, RowText } from '@sluice/client';

/** Prints one result. Its calls are in the order of the methods; `write` may come many times. */
export interface ResultWriter {
  readonly begin: (columns: readonly Column[]) => Promise<void>;
  readonly write: (rows: readonly RowText[]) => Promise<void>;
  /**
   * Prints what is kept back.
   * @param isComplete - false after a failure: a format with an end mark then has none
   */
  readonly end: (isComplete: boolean) => Promise<void>;
}

/** A format whose text follows from each row alone. */
export interface TextFormat {
  readonly head: (columns: readonly Column[]) => string;
  readonly rows: (rows: readonly RowText[]) => string;
  readonly tail: () => string;
}

export interface FormatOptions {
  /** String for NULL, instead of the format's own. */
  readonly nullText: string | undefined;
  readonly hasColor: boolean;
}

/** Creates a writer for a format. */
export function createTextWriter(format: TextFormat, write: (text: string) => Promise<void>): ResultWriter {
  return {
    begin: async (columns) => await write(format.head(columns)),
    write: async (rows) => await write(format.rows(rows)),
    end: async (isComplete) => {
      if (isComplete) await write(format.tail());
    },
  };
}
