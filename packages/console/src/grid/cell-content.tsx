import type { ReactNode } from 'react';
import type { CellText } from '../result/cell-text.ts';
import { TextParts } from '../ui/visible-text.tsx';

/** Words of SQL, the same in every language. */
const NULL_SIGN = 'NULL';
const EMPTY_SIGN = '""';

/**
 * Returns what an element shows for the value of a cell. NULL is a word in another style, and the empty string a sign, so that no string looks
 * like them. Plain text is a string rather than a component: the grid replaces hundreds of them in a frame.
 */
export function cellContent(cell: CellText): ReactNode {
  if (cell.kind === 'null') return <span className="grid-null">{NULL_SIGN}</span>;
  if (cell.kind === 'empty') return <span className="grid-empty">{EMPTY_SIGN}</span>;
  const [only] = cell.parts;
  if (cell.parts.length === 1 && only !== undefined && only.codePoint === undefined)
    return cell.isShortened ? `${only.text}…` : only.text;
  return (
    <>
      <TextParts parts={cell.parts} />
      {cell.isShortened ? '…' : null}
    </>
  );
}
