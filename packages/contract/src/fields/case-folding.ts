/** Dotless i upper-cases to `I`, but folds to itself: only Turkic languages take the two for one letter. */
const DOTLESS_I = 'ı';

const foldPart = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/**
 * Unicode's full case folding of decomposed text (CaseFolding.txt, status C and F): `Straße` and `STRASSE` become `strasse`. The
 * language has no function for it, but lower, upper and lower case in turn lead to the same text, except for two letters.
 */
export const foldCase = (text: string): string =>
  text.split(DOTLESS_I).map(foldPart).join(DOTLESS_I).replaceAll('ς', 'σ');

/** Key by which texts are compared without case: equal for canonical caseless matches (Unicode section 3.13, D145). */
export const caselessKey = (text: string): string => foldCase(text.normalize('NFD')).normalize('NFC');
