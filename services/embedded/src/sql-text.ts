/** Quotes a DuckDB identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Quotes a string. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Quotes a path for functions such as `read_csv`, which treat `*`, `?` and `[` as a pattern. */
export const quotePath = (path: string): string => quoteText(path.replaceAll(/[*?[]/g, '[$&]'));
