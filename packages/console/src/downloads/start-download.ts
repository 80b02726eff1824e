import type { DownloadFormat } from '@sluice/client';
import { type DownloadOptions, hasOption, NO_OPTIONS } from './download-options.ts';
import { type DownloadSource, fullNameOf } from './download-source.ts';
import type { DownloadStore } from './download-store.ts';
import { timedFileName } from './file-name.ts';
import type { RowFormat } from './row-file.ts';

/** A download as the user has chosen it. */
interface ChosenDownload {
  readonly format: DownloadFormat;
  /** Name of the file without its extension. */
  readonly name: string;
  /** Default: none. */
  readonly options?: DownloadOptions;
  /** Whether this page fetches and compares the file before it is saved. Default: false. */
  readonly isComparing?: boolean;
}

/** Returns whether all options that a format has are at their defaults. */
const isPlain = (format: DownloadFormat, options: DownloadOptions): boolean =>
  (Object.keys(NO_OPTIONS) as (keyof DownloadOptions)[]).every(
    (option) => !hasOption(format, option) || options[option] === NO_OPTIONS[option],
  );

/** Returns the format in which the page saves the rows that it holds. Undefined: the host makes the file, by a further run. */
export function savedFormatOf(
  { held }: DownloadSource,
  { format, options = NO_OPTIONS, isComparing = false }: Omit<ChosenDownload, 'name'>,
): RowFormat | undefined {
  return isComparing || !isPlain(format, options) ? undefined : held?.formats.find((each) => each === format);
}

/** Returns the name that is proposed for a file. The host names the file of a link. */
export const proposedName = ({ readName, hasOptions }: DownloadSource, now = new Date()): string =>
  hasOptions ? timedFileName(readName(), now) : readName();

/** Starts a download: from the rows that the page holds if they are the file, otherwise by the host. */
export function startDownload(store: DownloadStore, source: DownloadSource, chosen: ChosenDownload): void {
  const { format, name, options = NO_OPTIONS, isComparing = false } = chosen;
  const fileName = fullNameOf(source, name, format);
  const rowFormat = savedFormatOf(source, chosen);
  if (source.held !== undefined && rowFormat !== undefined) {
    store.saveRows({ fileName, held: source.held, format: rowFormat });
    return;
  }
  const operation = source.operationOf(format, name, options);
  if (operation !== undefined) store.start({ fileName, operation, isComparing, result: source.kept });
}
