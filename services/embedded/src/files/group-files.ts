import type { DataFile } from './data-file.ts';
import type { PartitionColumn } from './reader-sql.ts';

/** Files that one view reads. */
export interface FileGroup {
  /** Folder that the group is the content of; undefined for a file alone. */
  readonly folder?: string;
  readonly files: readonly DataFile[];
  readonly partitions: readonly PartitionColumn[];
}

/** `SLUICE_DATA_MERGE`. */
export type MergeMode = 'off' | 'folder';

/** Groups of files, and problems of files by their path. */
interface Grouped {
  readonly groups: readonly FileGroup[];
  readonly problems: ReadonlyMap<string, string>;
}

const PARTITION = /^([^=]+)=(.*)$/;

/**
 * Groups files that one view reads: those below `key=value` folders of a folder and, if `merge` is `folder`, those of each folder. All other
 * files are alone.
 */
export function groupFiles(files: readonly DataFile[], merge: MergeMode): Grouped {
  const groups: FileGroup[] = [];
  const problems = new Map<string, string>();
  for (const [folder, members] of byFolder(files, partitionedFolder)) {
    const problem = partitionProblem(folder, members);
    if (problem === undefined) groups.push({ folder, files: members, partitions: partitionsOf(members) });
    else for (const { relativePath } of members) problems.set(relativePath, problem);
  }
  const others = files.filter((file) => partitionedFolder(file) === undefined);
  const merged = merge === 'folder' ? byFolder(others, folderOf) : others.map((file) => [undefined, [file]] as const);
  for (const [folder, members] of merged) {
    const isSet = folder !== undefined && members.length > 1 && hasOneFormat(members);
    if (isSet) groups.push({ folder, files: members, partitions: [] });
    else groups.push(...members.map((file) => ({ files: [file], partitions: [] })));
  }
  return { groups, problems };
}

/** Returns the folder of a file, with `/`; empty: the folder of all files. */
export const folderOf = ({ relativePath }: DataFile): string => relativePath.split('/').slice(0, -1).join('/');

/** Returns the folder that has the outermost `key=value` folder of a file. */
function partitionedFolder(file: DataFile): string | undefined {
  const folders = folderOf(file).split('/');
  const first = folders.findIndex((name) => PARTITION.test(name));
  return first === -1 ? undefined : folders.slice(0, first).join('/');
}

function byFolder(
  files: readonly DataFile[],
  folder: (file: DataFile) => string | undefined,
): ReadonlyMap<string, readonly DataFile[]> {
  const found = new Map<string, DataFile[]>();
  for (const file of files) {
    const name = folder(file);
    if (name === undefined) continue;
    const members = found.get(name);
    if (members === undefined) found.set(name, [file]);
    else members.push(file);
  }
  return found;
}

const hasOneFormat = (files: readonly DataFile[]): boolean => new Set(files.map(({ format }) => format)).size === 1;

/** Returns the keys and values of the folders of a file. */
const partitionValues = (file: DataFile): readonly (readonly [string, string])[] =>
  folderOf(file)
    .split('/')
    .flatMap((name) => {
      const [, key, value] = PARTITION.exec(name) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    });

function partitionProblem(folder: string, files: readonly DataFile[]): string | undefined {
  const where = folder === '' ? 'SLUICE_DATA_DIR' : folder;
  if (!hasOneFormat(files))
    return `is not served, because the key=value folders of ${where} have files of several formats: keep one.`;
  const keys = new Set(
    files.map((file) =>
      partitionValues(file)
        .map(([key]) => key)
        .join(', '),
    ),
  );
  if (keys.size === 1) return undefined;
  return `is not served, because the key=value folders of ${where} have different keys (${[...keys].slice(0, 3).join('; ')}): give all the same.`;
}

/** The value that stands for NULL, as Hive writes it. */
const NULL_VALUE = '__HIVE_DEFAULT_PARTITION__';
const INTEGER = /^-?\d{1,18}$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

function partitionsOf(files: readonly DataFile[]): readonly PartitionColumn[] {
  const values = new Map<string, string[]>();
  for (const file of files) {
    for (const [key, value] of partitionValues(file)) {
      const known = values.get(key);
      if (known === undefined) values.set(key, [value]);
      else known.push(value);
    }
  }
  return [...values].map(([name, all]) => {
    const given = all.filter((value) => value !== NULL_VALUE);
    const type =
      given.length === 0
        ? 'VARCHAR'
        : given.every((value) => INTEGER.test(value))
          ? 'BIGINT'
          : given.every(isDate)
            ? 'DATE'
            : 'VARCHAR';
    return { name, type };
  });
}

const isDate = (value: string): boolean =>
  DATE.test(value) && new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);
