import type { DataFile } from './data-file.ts';
import type { CsvDialect, DataColumn, FileReading, ReadOutcome } from './file-reading.ts';
import { type FileGroup, folderOf, groupFiles, type MergeMode } from './group-files.ts';
import { nameViews, type Unnamed } from './name-views.ts';
import type { CreatedView } from './reader-process.ts';
import { readerSql, viewSql } from './reader-sql.ts';

export interface ReadDataFile {
  readonly file: DataFile;
  readonly outcome: ReadOutcome;
}

/** View to create, with the files that it reads. */
export interface ArrangedView extends CreatedView {
  readonly files: readonly DataFile[];
}

interface Arrangement {
  readonly views: readonly ArrangedView[];
  /** Problems of files by their path. */
  readonly problems: ReadonlyMap<string, string>;
}

interface ArrangeOptions {
  readonly merge: MergeMode;
  /** Name of the folder of all files, for a view of its own content. */
  readonly rootName: string;
}

/** Decides which views read which files. A view is complete: if one of its files has a problem, none of them is served. */
export function arrangeViews(read: readonly ReadDataFile[], { merge, rootName }: ArrangeOptions): Arrangement {
  const outcomes = new Map(read.map(({ file, outcome }) => [file.relativePath, outcome]));
  const files = read.map(({ file }) => file);
  const grouped = groupFiles(files, merge);
  const arranged = grouped.groups.map((group) => arrangeGroup(group, { outcomes, rootName }));
  const unnamed = arranged.flatMap(({ views }) => views).sort(byFirstFile);
  const names = nameViews(unnamed);
  return {
    views: unnamed.map(({ files: members, sql, joined }, index) => ({
      ...{ schema: '', name: '', ...names[index] },
      ...{ files: members, sql, joined },
    })),
    problems: new Map([...grouped.problems, ...arranged.flatMap(({ problems }) => problems)]),
  };
}

interface UnnamedView extends Unnamed, Pick<CreatedView, 'sql' | 'joined'> {
  readonly files: readonly DataFile[];
}

interface ArrangedGroup {
  readonly views: readonly UnnamedView[];
  readonly problems: readonly (readonly [path: string, problem: string])[];
}

interface GroupContext {
  readonly outcomes: ReadonlyMap<string, ReadOutcome>;
  readonly rootName: string;
}

const UNLIKE_CSV =
  'is not served, because the CSV files of its view are written differently: use one separator for all.';

function arrangeGroup(group: FileGroup, context: GroupContext): ArrangedGroup {
  const { files, partitions } = group;
  const bad = problemsOf(files, context);
  if (bad.length > 0) return { views: [], problems: bad };
  const readings = files.flatMap(({ relativePath }) => {
    const outcome = context.outcomes.get(relativePath);
    return outcome !== undefined && 'reading' in outcome ? [outcome.reading] : [];
  });
  const joined = joinReadings(readings);
  const isMerged = group.folder !== undefined && partitions.length === 0;
  if (isMerged && (joined === undefined || joined.isUnion)) return arrangeAlone(files, context);
  if (joined === undefined)
    return { views: [], problems: files.map(({ relativePath }) => [relativePath, UNLIKE_CSV] as const) };
  const read = { files, partitions, ...joined };
  const view = { ...placeOf(group, context.rootName), files, sql: viewSql(read) };
  if (files.length === 1) return { views: [view], problems: [] };
  const columns = [...joined.columns.map(({ name }) => name), ...partitionKeys(group)];
  return { views: [{ ...view, joined: { from: readerSql(read), columns } }], problems: [] };
}

/** Returns the keys in the path of the files, if they are columns; also those of folders above SLUICE_DATA_DIR. */
const partitionKeys = ({ files: [first], partitions }: FileGroup): readonly string[] =>
  partitions.length === 0
    ? []
    : [...(first?.path ?? '').matchAll(/\/([^/=]+)=[^/]*(?=\/)/g)].map(([, key = '']) => key);

/** Files of different schemas are tables of their own. */
function arrangeAlone(files: readonly DataFile[], context: GroupContext): ArrangedGroup {
  const arranged = files.map((file) => arrangeGroup({ files: [file], partitions: [] }, context));
  return {
    views: arranged.flatMap(({ views }) => views),
    problems: arranged.flatMap(({ problems }) => problems),
  };
}

/** Returns the problem of each file, if at least one has a problem of its own. */
function problemsOf(files: readonly DataFile[], { outcomes }: GroupContext): ArrangedGroup['problems'] {
  const own = files.flatMap(({ relativePath }) => {
    const outcome = outcomes.get(relativePath);
    return outcome !== undefined && 'problem' in outcome ? [[relativePath, outcome.problem] as const] : [];
  });
  const [first] = own;
  if (first === undefined) return [];
  const inherited = `is not served, because its view would be incomplete without ${first[0]}, which has a problem.`;
  const problems = new Map(own);
  return files.map(({ relativePath }) => [relativePath, problems.get(relativePath) ?? inherited] as const);
}

const byFirstFile = ({ files: [one] }: UnnamedView, { files: [other] }: UnnamedView): number =>
  (one?.relativePath ?? '') < (other?.relativePath ?? '') ? -1 : 1;

function placeOf({ folder, files }: FileGroup, rootName: string): Unnamed {
  const [first] = files;
  if (first === undefined) throw new Error('A view without files');
  const { extension, stem } = first;
  if (folder === undefined) return { folder: folderOf(first), stem, extension };
  const parts = folder === '' ? [rootName] : folder.split('/');
  return { folder: parts.slice(0, -1).join('/'), stem: parts.at(-1) ?? '', extension };
}

interface JoinedReading {
  readonly columns: readonly DataColumn[];
  readonly csv?: CsvDialect | undefined;
  /** The files have different columns, or columns of different types. */
  readonly isUnion: boolean;
  readonly needsWhole?: boolean | undefined;
}

/** Returns the columns of all files together, by name without case, as DuckDB joins them; undefined if CSV files are written differently. */
function joinReadings(readings: readonly FileReading[]): JoinedReading | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  if (others.length === 0)
    return { columns: first.columns, csv: first.csv, isUnion: false, needsWhole: first.needsWhole };
  const dialects = readings.flatMap(({ csv }) => csv ?? []);
  const csv = dialects.length === 0 ? undefined : joinDialects(dialects);
  if (dialects.length > 0 && csv === undefined) return undefined;
  const joined = new Map<string, DataColumn>();
  for (const { name, type } of readings.flatMap((reading) => reading.columns)) {
    const known = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), { name: known?.name ?? name, type: commonType(known?.type ?? type, type) });
  }
  const namesOf = ({ columns }: FileReading): string => JSON.stringify(columns.map(({ name }) => name));
  const columns = [...joined.values()];
  const isCsv = csv !== undefined;
  // CSV has no types: those of all its files are the common ones.
  const isSame = (reading: FileReading): boolean =>
    isCsv ? namesOf(reading) === namesOf(first) : JSON.stringify(reading.columns) === JSON.stringify(first.columns);
  return { columns, csv, isUnion: !others.every(isSame) };
}

function joinDialects(dialects: readonly CsvDialect[]): CsvDialect | undefined {
  const sets = {
    separator: new Set(dialects.map(({ separator }) => separator)),
    hasHeader: new Set(dialects.map(({ hasHeader }) => hasHeader)),
    date: new Set(dialects.flatMap(({ dateFormat }) => dateFormat ?? [])),
    timestamp: new Set(dialects.flatMap(({ timestampFormat }) => timestampFormat ?? [])),
  };
  const [separator] = sets.separator;
  const [hasHeader] = sets.hasHeader;
  if (separator === undefined || hasHeader === undefined || Object.values(sets).some(({ size }) => size > 1))
    return undefined;
  return {
    separator,
    hasHeader,
    dateFormat: [...sets.date][0] ?? null,
    timestampFormat: [...sets.timestamp][0] ?? null,
  };
}

const NUMBERS: ReadonlySet<string> = new Set(['BIGINT', 'DOUBLE']);
const TIMES: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP']);

function commonType(one: string, other: string): string {
  if (one === other) return one;
  if (NUMBERS.has(one) && NUMBERS.has(other)) return 'DOUBLE';
  return TIMES.has(one) && TIMES.has(other) ? 'TIMESTAMP' : 'VARCHAR';
}
