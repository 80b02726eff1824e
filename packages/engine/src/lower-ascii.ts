/** Lower case of A to Z only, as DuckDB compares names. `toLowerCase` would take the Kelvin sign for a k. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
