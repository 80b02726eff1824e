import { extname } from 'node:path';
import { DOWNLOAD_FORMATS, type DownloadFormat } from '@sluice/client';
import { UsageError } from '../errors.ts';

/** Another extension that is in use for a format. */
const OTHER_EXTENSIONS: Readonly<Record<string, DownloadFormat>> = { jsonl: 'ndjson' };

interface FormatChoice<Format> {
  readonly given: Format | undefined;
  /** Formats that the command offers. */
  readonly formats: readonly Format[];
  /** Beginning of the command or option that names a format, such as `--format`. */
  readonly by: string;
}

/**
 * Returns the given format of a file, otherwise the one of its extension.
 * @throws UsageError if there is neither
 */
export function chooseFormat<Format extends DownloadFormat>(
  output: string | undefined,
  { given, formats, by }: FormatChoice<Format>,
): Format {
  const extension = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const format =
    given ??
    formats.find((each) => DOWNLOAD_FORMATS[each].extension === extension || OTHER_EXTENSIONS[extension] === each);
  if (format !== undefined) return format;
  const extensions = formats.map((each) => `.${DOWNLOAD_FORMATS[each].extension}`).join(', ');
  throw new UsageError(`Choose a format: ${by} ${formats.join(', ')}, or -o FILE with one of ${extensions}.`);
}
