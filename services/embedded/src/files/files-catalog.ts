import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { startFailure } from '../start-failure.ts';
import { type ArrangedView, arrangeViews, type ReadDataFile } from './arrange-views.ts';
import type { DataFile } from './data-file.ts';
import type { ReadOutcome } from './file-reading.ts';
import { type FoundFiles, findDataFiles } from './find-data-files.ts';
import type { MergeMode } from './group-files.ts';
import { type FileReader, startFileReader } from './reader-process.ts';
import { type FilesRefresh, reportFiles } from './report-files.ts';

export interface FilesCatalogSettings {
  /** SLUICE_DATA_DIR. It is never written to. */
  readonly dataFolder: string;
  readonly merge: MergeMode;
  /** Path of the DuckDB database to create. It contains views only. */
  readonly path: string;
  /** Path of the list of files to write, with what became of each. */
  readonly reportPath: string;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** Time limit for one file. It also ends the wait for a pipe that has taken the place of a file. */
const FILE_SECONDS_MAX = 60;
/** Time limit for a large file that is read completely after the start. */
const LARGE_FILE_SECONDS_MAX = 1_800;
/** A file that was modified this recently may still be written. */
const SETTLED_MS = 1_500;
/** Refreshes that leave out a file which is modified all the time. */
const WAITS_MAX = 2;

interface KnownFile {
  readonly file: DataFile;
  readonly outcome: ReadOutcome;
}

/**
 * Database whose views read the files of a folder, and the list of these files. A file that cannot be read in the format of its extension
 * has a problem, and the others are still served. Other processes read the files, because DuckDB can crash on one.
 */
export class FilesCatalog {
  readonly #settings: FilesCatalogSettings;
  #known: ReadonlyMap<string, KnownFile> = new Map();
  /** Views of the database by schema and name. */
  #views: ReadonlyMap<string, ArrangedView> = new Map();
  /** Problems of views that the engine did not create, by their version. */
  #viewProblems: ReadonlyMap<string, string> = new Map();
  /** Outcomes of large files that have been read completely, by their stamp. */
  readonly #whole = new Map<string, ReadOutcome>();
  /** Files that may still be written, with the number of refreshes that have left them out. */
  #waiting: ReadonlyMap<string, number> = new Map();
  #report = '';
  /** Last refresh, with the state of the folder. Undefined: something is left to do. */
  #last: { readonly state: string; readonly refresh: FilesRefresh } | undefined;

  constructor(settings: FilesCatalogSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the files that are new or changed and, if the views change, replaces the database. A process that has opened the old one
   * continues to read that. With `waits`, a file that was modified a moment ago is left for the next refresh.
   * @throws StartFailure when the folder cannot be read or the database cannot be written
   */
  async refresh({ waits }: { readonly waits: boolean }): Promise<FilesRefresh> {
    const { dataFolder, merge, signal } = this.#settings;
    const found = await findDataFiles(dataFolder);
    signal.throwIfAborted();
    const state = stateOf(found);
    if (this.#last?.state === state) return { ...this.#last.refresh, isChanged: false };
    this.#last = undefined;
    try {
      const database = new ChangedDatabase(this.#settings, this.#views.size === 0 && this.#report === '');
      try {
        const { known, isComplete } = await this.#read(found, database, waits);
        const read: readonly ReadDataFile[] = [...known.values()];
        const arrangement = arrangeViews(read, { merge, rootName: basename(dataFolder) });
        const views = new Map(arrangement.views.map((view) => [keyOf(view), view]));
        const viewProblems = await this.#changeViews(views, database);
        await database.replace();
        this.#known = known;
        this.#viewProblems = viewProblems;
        this.#views = views;
        const refresh = await this.#writeReport(found, read, arrangement.problems);
        if (isComplete) this.#last = { state, refresh };
        return refresh;
      } finally {
        await database[Symbol.asyncDispose]();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      throw startFailure(`The catalog of ${dataFolder} could not be created`, thrown);
    }
  }

  /** Returns all files that are served or have a problem, in the order of their paths, and whether these are all files. */
  async #read(
    { files }: FoundFiles,
    database: ChangedDatabase,
    waits: boolean,
  ): Promise<{ readonly known: ReadonlyMap<string, KnownFile>; readonly isComplete: boolean }> {
    const known = new Map<string, KnownFile>();
    const waiting = new Map<string, number>();
    for (const file of files) {
      const before = this.#known.get(file.relativePath);
      const waited = this.#waiting.get(file.relativePath) ?? 0;
      if (before?.file.stamp === file.stamp)
        known.set(file.relativePath, { file, outcome: this.#whole.get(file.stamp) ?? before.outcome });
      else if (waits && mayStillBeWritten(file, waited)) {
        waiting.set(file.relativePath, waited + 1);
        if (before !== undefined) known.set(file.relativePath, before);
      } else {
        const reader = await database.reader();
        known.set(file.relativePath, { file, outcome: await reader.read(file) });
      }
    }
    this.#waiting = waiting;
    return { known, isComplete: waiting.size === 0 };
  }

  /** Changes the views of the database to these. Returns the problems of those that cannot be created, by their version. */
  async #changeViews(
    views: ReadonlyMap<string, ArrangedView>,
    database: ChangedDatabase,
  ): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    for (const [key, view] of this.#views) {
      const isKept = views.get(key)?.sql === view.sql;
      if (!isKept && !this.#viewProblems.has(versionOf(view))) await (await database.changed()).drop(view);
    }
    for (const [key, view] of views) {
      const last = this.#views.get(key);
      const lastProblem = last && this.#viewProblems.get(versionOf(last));
      if (last?.sql === view.sql && lastProblem === undefined) continue;
      const isSame = last !== undefined && versionOf(last) === versionOf(view);
      const problem = isSame ? lastProblem : await (await database.changed()).create(view);
      if (problem !== undefined) problems.set(versionOf(view), problem);
    }
    return problems;
  }

  /**
   * Reads the next large file completely, beside the refreshes: its rows are counted, and its types are those of all values. The next
   * refresh takes the outcome over. Returns whether there was one.
   */
  async readNextLargeFile(): Promise<boolean> {
    const next = [...this.#known.values()].find(
      ({ file, outcome }) => 'reading' in outcome && outcome.reading.rows === undefined && !this.#whole.has(file.stamp),
    );
    if (next === undefined) return false;
    const { signal } = this.#settings;
    await using reader = await startFileReader({ database: ':memory:', signal, secondsMax: LARGE_FILE_SECONDS_MAX });
    const outcome = await reader.read(next.file, true);
    const present = new Set([...this.#known.values()].map(({ file }) => file.stamp));
    for (const stamp of this.#whole.keys()) if (!present.has(stamp)) this.#whole.delete(stamp);
    this.#whole.set(next.file.stamp, outcome);
    this.#last = undefined;
    return true;
  }

  async #writeReport(
    { rejected }: FoundFiles,
    read: readonly ReadDataFile[],
    problems: ReadonlyMap<string, string>,
  ): Promise<FilesRefresh> {
    const { reportPath } = this.#settings;
    const views: ArrangedView[] = [];
    const allProblems = new Map(problems);
    for (const view of this.#views.values()) {
      const problem = this.#viewProblems.get(versionOf(view));
      if (problem === undefined) views.push(view);
      else {
        const known = view.files.reduce((text, { path, relativePath }) => text.replaceAll(path, relativePath), problem);
        for (const { relativePath } of view.files) allProblems.set(relativePath, `cannot be read together: ${known}`);
      }
    }
    const files = reportFiles({ read, rejected, views, problems: allProblems });
    const report = JSON.stringify(files);
    const isChanged = report !== this.#report;
    if (isChanged) {
      await writeFile(`${reportPath}.new`, report);
      await rename(`${reportPath}.new`, reportPath);
    }
    this.#report = report;
    return { files, viewCount: views.length, isChanged };
  }
}

const keyOf = ({ schema, name }: ArrangedView): string => JSON.stringify([schema.toLowerCase(), name.toLowerCase()]);

/** Differs when a file came, changed or went. */
const stateOf = ({ files, rejected }: FoundFiles): string =>
  JSON.stringify([files.map(({ relativePath, stamp }) => [relativePath, stamp]), rejected]);

/** A log that grows all the time is read nevertheless, unless its view has other files, which half a file would make unavailable. */
const mayStillBeWritten = ({ modifiedMs, relativePath }: DataFile, waited: number): boolean =>
  Math.abs(Date.now() - modifiedMs) < SETTLED_MS && (waited < WAITS_MAX || relativePath.includes('='));

/** Differs when the SQL of a view differs, or its files do. */
const versionOf = ({ sql, files }: ArrangedView): string => JSON.stringify([sql, files.map(({ stamp }) => stamp)]);

/** The next version of the database, written beside it. The process that writes it also reads the files, and starts when it is needed. */
class ChangedDatabase implements AsyncDisposable {
  readonly #settings: Pick<FilesCatalogSettings, 'path' | 'signal'>;
  readonly #unfinished: string;
  readonly #isFirst: boolean;
  #reader: FileReader | undefined;
  #isChanged: boolean;

  constructor(settings: Pick<FilesCatalogSettings, 'path' | 'signal'>, isFirst: boolean) {
    this.#settings = settings;
    this.#unfinished = `${settings.path}.new`;
    this.#isFirst = isFirst;
    this.#isChanged = isFirst;
  }

  /** Returns the process, to read files. */
  async reader(): Promise<FileReader> {
    if (this.#reader !== undefined) return this.#reader;
    await removeDatabase(this.#unfinished);
    if (!this.#isFirst) await copyFile(this.#settings.path, this.#unfinished);
    const { signal } = this.#settings;
    this.#reader = await startFileReader({ database: this.#unfinished, signal, secondsMax: FILE_SECONDS_MAX });
    return this.#reader;
  }

  /** Returns the process, to change views. */
  changed(): Promise<FileReader> {
    this.#isChanged = true;
    return this.reader();
  }

  /** Replaces the last version by this one, if it has changes. */
  async replace(): Promise<void> {
    if (!this.#isChanged) return;
    await (await this.reader()).save();
    await rename(this.#unfinished, this.#settings.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader?.[Symbol.asyncDispose]();
    await removeDatabase(this.#unfinished);
  }
}

/** Removes a database with the log of changes that a process which ended has left. */
const removeDatabase = async (path: string): Promise<void> => {
  await Promise.all([path, `${path}.wal`].map((file) => rm(file, { force: true })));
};
