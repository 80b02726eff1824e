/** A database file that queries read. */
export interface DuckDbCatalog {
  readonly name: string;
  readonly path: string;
}

/** Settings of a tenant's DuckDB. Plain data, because it is sent to a query worker. */
export interface DuckDbProfile {
  readonly catalogs: readonly DuckDbCatalog[];
  readonly defaultCatalog: string;
  readonly defaultSchema: string;
  /** Folders from which views of the catalogs read files. Nothing else of the file system can be reached. */
  readonly readableFolders: readonly string[];
  readonly memoryBytesMax: number;
  /** Folder for data that does not fit in memory, for example in a large sort. Without it such a statement fails. */
  readonly tempFolder?: string;
  /** Limit of `tempFolder`. */
  readonly tempBytesMax?: number;
  readonly threads: number;
  /** Processor time limit for planning a statement; PLANNING_MS_MAX if undefined. */
  readonly planningMsMax?: number;
}
