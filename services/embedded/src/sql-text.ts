/** A DuckDB identifier, whatever it is made of. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A path as an argument of `read_csv` and its like, which would take `*`, `?` and `[` for a pattern. */
export const quotePath = (path: string): string => quoteText(path.replaceAll(/[*?[]/g, '[$&]'));
