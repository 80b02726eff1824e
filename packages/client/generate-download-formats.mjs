// Writes src/downloads/download-formats.ts from the table of formats of the contract. `npm run docs:generate` runs it.
import { writeFile } from 'node:fs/promises';
import { downloadFormats } from '../contract/dist/index.js';

/** Options of the contract by their names in the client. */
const OPTION_NAMES = {
  excel_safe: 'excelSafe',
  separator: 'separator',
  bom: 'bom',
  excel_dates: 'excelDates',
  time_zone: 'timeZone',
  big_numbers: 'bigNumbers',
};
const ASSEMBLIES = ['text', 'workbook', 'engine'];

const place = ([, { assembly }]) => ASSEMBLIES.indexOf(assembly);
const formats = downloadFormats.toSorted((one, other) => place(one) - place(other));
const quoted = (names) => names.map((name) => `'${name}'`);
const row = ([name, { label, extension, assembly, options }]) =>
  `  ${name}: { label: '${label}', extension: '${extension}', isText: ${assembly === 'text'}, options: [${quoted(options.map((option) => OPTION_NAMES[option])).join(', ')}] },`;
const items = formats.filter(([, { marketplaceNames }]) => marketplaceNames.length > 0).map(([name]) => name);

const text = `// Written by \`npm run docs:generate\` from packages/contract.

/** Format of the result of a statement. */
export type DownloadFormat = ${quoted(formats.map(([name]) => name)).join(' | ')};

/** Format of an item of the marketplace. */
export type ItemFormat = ${quoted(items).join(' | ')};

/** An option that only some formats have. */
export type FormatOption = ${quoted(Object.values(OPTION_NAMES)).join(' | ')};

interface FormatRow {
  /** Name in sentences. */
  readonly label: string;
  /** Extension of the file, without its dot. */
  readonly extension: string;
  /** Whether the file is text. */
  readonly isText: boolean;
  readonly options: readonly FormatOption[];
}

/** Every format of a download, text formats first. */
export const DOWNLOAD_FORMATS: Readonly<Record<DownloadFormat, FormatRow>> = {
${formats.map(row).join('\n')}
};

/** Formats of the marketplace, text formats first. */
export const ITEM_FORMATS: readonly ItemFormat[] = [${quoted(items).join(', ')}];
`;
await writeFile(new URL('src/downloads/download-formats.ts', import.meta.url), text);
