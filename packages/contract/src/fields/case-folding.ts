/** Dotless i upper-cases to `I` but folds to itself: only Turkic languages treat the two as one letter. */
const DOTLESS_I = 'ı';

const foldPart = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/**
 * Applies Unicode's full case folding to decomposed text (CaseFolding.txt, status C and F): `Straße` and `STRASSE` become
 * `strasse`. JavaScript has no function for it. Lower, upper and lower case in turn give the same string, except for two letters.
 */
export const foldCase = (text: string): string =>
  text.split(DOTLESS_I).map(foldPart).join(DOTLESS_I).replaceAll('ς', 'σ');

/** Returns the key for comparing strings without regard to case: equal for canonical caseless matches (Unicode section 3.13, D145). */
export const caselessKey = (text: string): string => foldCase(text.normalize('NFD')).normalize('NFC');
