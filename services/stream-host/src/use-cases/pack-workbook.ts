import { checkSheetColumns, WorkbookWriter, XLSX_MEDIA_TYPE } from '@sluice/encoders';
import { createPacking, type OpenResult, type PackedStatement, type Packing } from './packing.ts';

/** A workbook with a sheet a statement. `overflowBytesMax` bounds the disk for texts that are longer than a cell. */
export function packWorkbook(statements: readonly PackedStatement[], overflowBytesMax: number): Packing {
  let writer: WorkbookWriter | undefined;
  return createPacking({
    statements,
    mediaType: XLSX_MEDIA_TYPE,
    extension: 'xlsx',
    check: checkSheetColumns,
    pack: (results: AsyncIterable<OpenResult>, queryId) => {
      writer = new WorkbookWriter({ queryId, started: new Date(), overflowBytesMax });
      return writer.write(results);
    },
    end: () => writer?.end() ?? Buffer.alloc(0),
  });
}
