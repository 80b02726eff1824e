import { DOWNLOAD_FORMATS } from '@sluice/contract';
import { checkSheetColumns, WorkbookWriter } from '@sluice/encoders';
import { type Bundle, type BundledStatement, createBundle, type OpenResult } from './bundle.ts';

/** Creates a workbook with one sheet per statement. `overflowBytesMax` limits the disk space for texts longer than a cell. */
export function bundleWorkbook(statements: readonly BundledStatement[], overflowBytesMax: number): Bundle {
  let writer: WorkbookWriter | undefined;
  return createBundle({
    statements,
    file: DOWNLOAD_FORMATS.xlsx,
    check: checkSheetColumns,
    pack: (results: AsyncIterable<OpenResult>, queryId) => {
      writer = new WorkbookWriter({ queryId, started: new Date(), overflowBytesMax });
      return writer.write(results);
    },
    end: () => writer?.end() ?? Buffer.alloc(0),
  });
}
