import type { DownloadFormatName, DownloadOption, DownloadRequest } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';

/** Options of a download that change its file, except the time zone. */
export type FileOptions = Pick<DownloadRequest, Exclude<DownloadOption, 'time_zone'>>;

/** Returns the format of a file with these options. */
export const fileFormat = (name: DownloadFormatName, options: FileOptions): FormatSpec => ({
  name,
  bigNumbers: options.big_numbers ?? 'number',
  formulas: options.excel_safe === true ? 'prefix' : 'keep',
  progress: 'hidden',
  separator: options.separator,
  hasByteOrderMark: options.bom ?? options.excel_safe === true,
  dates: options.excel_dates === true ? 'marked' : 'exact',
});
