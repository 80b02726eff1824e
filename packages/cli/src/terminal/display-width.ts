import { visibleLine } from '@sluice/contract/visible-text';
import stringWidth from 'string-width';

/** Ends a string that was cut. One column wide. */
export const ELLIPSIS = '…';

const PLAIN = /^[ -~]*$/;
/** A grapheme of more UTF-16 units is a pile of combining marks, which no terminal shows. */
const GRAPHEME_UNITS_MAX = 64;
/** Units of text that are looked at per column: enough for emoji families. */
const UNITS_PER_COLUMN = 32;

/** Joiners, variation selectors, flags, skin tones and conjoining Hangul, which terminals show in different widths. */
const UNCERTAIN = /[\u200d\ufe0e\ufe0f\u1100-\u11ff]|\p{Regional_Indicator}|\p{Emoji_Modifier}|\p{Spacing_Mark}/u;

const segmenter = new Intl.Segmenter();

/** Returns the columns that a string without control characters takes in a terminal: grapheme by grapheme (UAX #29, UAX #11). */
export const displayWidth = (text: string): number =>
  PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });

/** Returns whether terminals disagree about the width of a string. */
export const hasUncertainWidth = (text: string): boolean => !PLAIN.test(text) && UNCERTAIN.test(text);

export interface MeasuredText {
  readonly text: string;
  /** Columns. */
  readonly width: number;
}

function cutGraphemes(text: string, max: number, hasMore: boolean): MeasuredText {
  // A string of megabytes is not split as a whole.
  const head = text.slice(0, max * UNITS_PER_COLUMN + GRAPHEME_UNITS_MAX);
  let [isWhole, width] = [head.length === text.length && !hasMore, 0];
  // Where the text ends if an ellipsis must follow.
  let [cutEnd, cutWidth] = [0, 0];
  for (const { segment, index } of segmenter.segment(head)) {
    const added = displayWidth(segment);
    if (width + added > max || segment.length > GRAPHEME_UNITS_MAX) {
      isWhole = false;
      break;
    }
    width += added;
    if (width < max) [cutEnd, cutWidth] = [index + segment.length, width];
  }
  if (isWhole) return { text, width };
  return { text: `${text.slice(0, cutEnd)}${ELLIPSIS}`, width: cutWidth + 1 };
}

/**
 * Returns a string as one line of at most this many columns, without splitting a grapheme and with control characters shown as escapes.
 * A string that was cut ends with an ellipsis.
 * @param max - columns, at least 1
 */
export function fitLine(text: string, max: number): MeasuredText {
  // Only the part that can be shown is looked at.
  const units = (max + 1) * UNITS_PER_COLUMN;
  const hasMore = text.length > units;
  const line = visibleLine(hasMore ? text.slice(0, units) : text);
  if (!PLAIN.test(line.slice(0, max + 1))) return cutGraphemes(line, max, hasMore);
  if (line.length <= max) return { text: line, width: line.length };
  return { text: `${line.slice(0, max - 1)}${ELLIPSIS}`, width: max };
}
