import { FILE_OBJECT_BYTES_MAX } from '@sluice/contract';
import { FileFault } from '@sluice/contract/metadata-files';

export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/**
 * Splits a file into lines, in groups. Blank lines are counted, and skipped unless `keepsBlank`. Throws a FileFault for a line that is too
 * long.
 */
export async function* readLines(
  chunks: AsyncIterable<string>,
  { keepsBlank = false } = {},
): AsyncGenerator<readonly TextLine[]> {
  let held = '';
  let line = 1;
  const check = (text: string): string => {
    if (text.length <= FILE_OBJECT_BYTES_MAX) return text;
    throw new FileFault(`line ${line}`, `has more than ${FILE_OBJECT_BYTES_MAX} characters`);
  };
  for await (const chunk of chunks) {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const text = check(held + chunk.slice(start, end));
      if (keepsBlank || text.trim() !== '') lines.push({ line, text });
      held = '';
      line += 1;
      start = end + 1;
    }
    held = check(held + chunk.slice(start));
    if (lines.length > 0) yield lines;
  }
  if (held.trim() !== '') yield [{ line, text: held }];
}
