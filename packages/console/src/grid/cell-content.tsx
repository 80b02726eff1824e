import { type CellText, type TextPart, visibleParts } from '../result/cell-text.ts';

/** Words of SQL, the same in every language. */
const NULL_SIGN = 'NULL';
const EMPTY_SIGN = '""';

/** Shows a text with a visible sign in place of each character that is invisible or moves its surroundings. */
export function VisibleText({ text, lines = 'show' }: { readonly text: string; readonly lines?: 'show' | 'keep' }) {
  return <TextParts parts={visibleParts(text, lines)} />;
}

function TextParts({ parts }: { readonly parts: readonly TextPart[] }) {
  const [only] = parts;
  // By far the most cells: no element of its own.
  if (parts.length === 1 && only !== undefined && only.codePoint === undefined) return only.text;
  return parts.map(({ text, codePoint }, index) =>
    codePoint === undefined ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={index} className="grid-sign">
        {text}
      </span>
    ),
  );
}

/** Shows the value of a cell. NULL is a word in another style, and the empty text a sign, so that no text looks like them. */
export function CellContent({ cell }: { readonly cell: CellText }) {
  if (cell.kind === 'null') return <span className="grid-null">{NULL_SIGN}</span>;
  if (cell.kind === 'empty') return <span className="grid-empty">{EMPTY_SIGN}</span>;
  return (
    <>
      <TextParts parts={cell.parts} />
      {cell.isShortened ? '…' : null}
    </>
  );
}
