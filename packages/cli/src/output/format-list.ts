import type { Screen } from '../terminal/screen.ts';
import type { Output } from '../terminal/terminal.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { createCsvFormat } from './csv.ts';
import type { ResultFormat } from './format-names.ts';
import { createJsonFormat } from './json.ts';
import { createMarkdownFormat } from './markdown.ts';
import { createNdjsonFormat } from './ndjson.ts';
import { createTextWriter, type FormatOptions, type ResultWriter, type TextFormat } from './result-writer.ts';
import { createTableWriter } from './table-writer.ts';
import { createTsvFormat } from './tsv.ts';
import { createVerticalFormat } from './vertical.ts';

/** Formats besides `table`. */
const TEXT_FORMATS: Readonly<Record<Exclude<ResultFormat, 'table'>, (options: FormatOptions) => TextFormat>> = {
  vertical: createVerticalFormat,
  csv: createCsvFormat,
  tsv: createTsvFormat,
  json: createJsonFormat,
  ndjson: createNdjsonFormat,
  markdown: createMarkdownFormat,
};

export interface WriterOptions {
  readonly format: ResultFormat;
  readonly nullText: string | undefined;
  readonly cellWidthMax: number;
}

/** Creates the writer of a format. Tables and records use the screen, with its pager; other formats go to the output as they are. */
export function createResultWriter(
  { format, nullText, cellWidthMax }: WriterOptions,
  output: Output,
  screen: Screen,
): ResultWriter {
  const options = { nullText, hasColor: output.hasColor };
  if (format === 'table') return createTableWriter(screen, { ...options, cellWidthMax });
  const textFormat = TEXT_FORMATS[format](options);
  if (format === 'vertical') return createTextWriter(textFormat, screen.write);
  // A terminal would execute control characters; a pipe gets the data as they are.
  const write = output.isTerminal ? (text: string) => screen.show(visibleText(text)) : screen.show;
  return createTextWriter(textFormat, write);
}
