import { DOWNLOAD_FORMATS, presentParameters } from '@sluice/contract';
import { checkSheetColumns, type WorkbookResult, WorkbookWriter } from '@sluice/encoders';
import { type Bundle, type BundledStatement, createBundle, type OpenResult } from './bundle.ts';

interface BundleWorkbookOptions {
  /** Limit of the disk space for strings that are longer than a cell. */
  readonly overflowBytesMax: number;
  /** Zone of the date cells, for a format with `marked` dates. */
  readonly dateZone?: string | undefined;
  /** Values of the parameters in JSON, if they are known as a text only. */
  readonly parametersText?: string | undefined;
}

/** Creates a workbook with one sheet per statement. */
export function bundleWorkbook(statements: readonly BundledStatement[], options: BundleWorkbookOptions): Bundle {
  let writer: WorkbookWriter | undefined;
  return createBundle({
    statements,
    file: DOWNLOAD_FORMATS.xlsx,
    check: checkSheetColumns,
    pack: (results: AsyncIterable<OpenResult>, queryId, started) => {
      writer = new WorkbookWriter({ queryId, started, ...options });
      return writer.write(withParameterTexts(results, options.parametersText));
    },
    end: () => writer?.end() ?? Buffer.alloc(0),
  });
}

/** Describes the values of parameters as the JSON that a request takes; a result without parameters has none. */
async function* withParameterTexts(
  results: AsyncIterable<OpenResult>,
  text: string | undefined,
): AsyncGenerator<WorkbookResult> {
  for await (const result of results) {
    const { parameters = [] } = result;
    const own = parameters.length === 0 ? '' : JSON.stringify(presentParameters(parameters));
    yield { ...result, parameters: text ?? own };
  }
}
