import { DOWNLOAD_FORMATS, type DownloadFormat, type FormatOption } from '@sluice/client';
import { UsageError } from '../errors.ts';

/** Formats of the result of a statement. */
export const FORMATS = Object.keys(DOWNLOAD_FORMATS) as readonly DownloadFormat[];

const withOption = (option: FormatOption): readonly DownloadFormat[] =>
  FORMATS.filter((format) => DOWNLOAD_FORMATS[format].options.includes(option));

/** Separators by the names that a shell needs no quotes for. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
const SEPARATOR_NAMES = ['comma', 'semicolon', 'tab', 'pipe'] as const;

/** Options that only some formats have. */
const OPTION_FORMATS = {
  excelSafe: { option: '--excel-safe', formats: withOption('excelSafe') },
  separator: { option: '--separator', formats: withOption('separator') },
  bom: { option: '--bom', formats: withOption('bom') },
  excelDates: { option: '--excel-dates', formats: withOption('excelDates') },
  bigNumbers: { option: '--big-numbers', formats: withOption('bigNumbers') },
} as const;

/** Options of the formats, for the commands that save a result. */
export const FORMAT_OPTIONS = {
  bigNumbers: {
    kind: 'flag',
    meaning: `Write numbers that a double may round as strings (${OPTION_FORMATS.bigNumbers.formats.join(', ')}).`,
  },
  excelSafe: {
    kind: 'flag',
    meaning: `Prefix values that a spreadsheet would run as formulas, which changes data, and mark the file as UTF-8 (${OPTION_FORMATS.excelSafe.formats.join(', ')}).`,
  },
  separator: {
    kind: 'text',
    value: 'NAME',
    choices: SEPARATOR_NAMES,
    meaning: `Character between two fields (${OPTION_FORMATS.separator.formats.join(', ')}). Default: comma.`,
  },
  bom: {
    kind: 'flag',
    meaning: `Begin the file with a byte order mark, so that Excel reads it as UTF-8 (${OPTION_FORMATS.bom.formats.join(', ')}).`,
  },
  excelDates: {
    kind: 'flag',
    meaning: `Make date cells of all dates, times and timestamps, rounded to milliseconds, which changes data; the sheet About counts the changes (${OPTION_FORMATS.excelDates.formats.join(', ')}).`,
  },
} as const;

interface GivenOptions {
  readonly bigNumbers: boolean;
  readonly excelSafe: boolean;
  readonly separator: keyof typeof SEPARATORS | undefined;
  readonly bom: boolean;
  readonly excelDates: boolean;
}

/**
 * Returns the options of a format as the client takes them.
 * @throws UsageError if the format lacks one that is given
 */
export function readFormatOptions(format: DownloadFormat, given: GivenOptions) {
  for (const [name, { option, formats }] of Object.entries(OPTION_FORMATS)) {
    if (given[name as keyof GivenOptions] && !formats.includes(format))
      throw new UsageError(`${option} is for ${formats.join(', ')}, not for ${format}. Leave it out.`);
  }
  return {
    ...(given.bigNumbers ? { bigNumbers: 'string' as const } : {}),
    ...(given.excelSafe ? { excelSafe: true } : {}),
    ...(given.separator === undefined ? {} : { separator: SEPARATORS[given.separator] }),
    ...(given.bom ? { bom: true } : {}),
    ...(given.excelDates ? { excelDates: true } : {}),
  };
}
