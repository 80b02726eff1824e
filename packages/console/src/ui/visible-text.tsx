import { type LinesMode, type TextPart, visibleParts } from '../result/cell-text.ts';
import './visible-text.css';

export { visibleText } from '../result/cell-text.ts';

interface VisibleTextProps {
  readonly text: string;
  /** `preserve` leaves tabs and line ends to the element, which must preserve white space. */
  readonly lines?: LinesMode;
}

/** Shows a string with a visible sign in place of each character that is invisible or moves its surroundings. */
export function VisibleText({ text, lines = 'show' }: VisibleTextProps) {
  return <TextParts parts={visibleParts(text, lines)} />;
}

/** Shows the parts of a string. */
export function TextParts({ parts }: { readonly parts: readonly TextPart[] }) {
  const [only] = parts;
  // Most strings by far: no element of their own.
  if (parts.length === 1 && only !== undefined && only.codePoint === undefined) return only.text;
  return parts.map(({ text, codePoint }, index) =>
    codePoint === undefined ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a string never move
      <span key={index} className="visible-sign">
        {text}
      </span>
    ),
  );
}
