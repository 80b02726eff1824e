import type { CellText } from '../result/cell-text.ts';
import { TextParts } from '../ui/visible-text.tsx';

/** Words of SQL, the same in every language. */
const NULL_SIGN = 'NULL';
const EMPTY_SIGN = '""';

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
