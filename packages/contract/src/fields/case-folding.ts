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

/**
 * Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic text and of symbols, as a character class of JavaScript and of PostgreSQL has
 * them. A step of the schema contains it, so it never changes.
 */
export const ACCENTS =
  '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1abd\\u1dc0-\\u1dff\\u20d0-\\u20dc\\u20e1\\u20e5-\\u20f0\\ufe20-\\ufe2f';
const EVERY_ACCENT = new RegExp(`[${ACCENTS}]`, 'g');

/**
 * Returns text without differences of case, accents and compatibility forms: `Zürich` and `ZURICH` become `zurich`. Case comes first, because
 * the iota subscript is an accent and folds to a letter.
 */
export const foldText = (text: string): string => foldCase(text.normalize('NFKD')).replace(EVERY_ACCENT, '');
