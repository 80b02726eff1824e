/** Converts A to Z to lower case, as DuckDB compares names. `toLowerCase` would turn the Kelvin sign into a k. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
