import { DOWNLOAD_FORMATS, presentParameters } from '@sluice/contract';
import { checkSheetColumns, type WorkbookResult, WorkbookWriter } from '@sluice/encoders';
import { type Bundle, type BundledStatement, createBundle, type OpenResult } from './bundle.ts';

/** Creates a workbook with one sheet per statement. `overflowBytesMax` limits the disk space for strings longer than a cell. */
export function bundleWorkbook(statements: readonly BundledStatement[], overflowBytesMax: number): Bundle {
  let writer: WorkbookWriter | undefined;
  return createBundle({
    statements,
    file: DOWNLOAD_FORMATS.xlsx,
    check: checkSheetColumns,
    pack: (results: AsyncIterable<OpenResult>, queryId) => {
      writer = new WorkbookWriter({ queryId, started: new Date(), overflowBytesMax });
      return writer.write(withParameterTexts(results));
    },
    end: () => writer?.end() ?? Buffer.alloc(0),
  });
}

/** Describes the values of parameters as the JSON that a request takes; a result without parameters has none. */
async function* withParameterTexts(results: AsyncIterable<OpenResult>): AsyncGenerator<WorkbookResult> {
  for await (const result of results) {
    const { parameters = [] } = result;
    yield { ...result, parameters: parameters.length === 0 ? '' : JSON.stringify(presentParameters(parameters)) };
  }
}
