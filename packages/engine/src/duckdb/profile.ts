/** A database file that queries read. */
export interface DuckDbCatalog {
  readonly name: string;
  readonly path: string;
}

/** Everything a tenant's DuckDB is opened with; plain data, so that it can cross to a query worker. */
export interface DuckDbProfile {
  readonly catalogs: readonly DuckDbCatalog[];
  readonly defaultCatalog: string;
  readonly defaultSchema: string;
  /** Folders that views of the catalogs read files from. Nothing else of the file system can be reached. */
  readonly readableFolders: readonly string[];
  readonly memoryBytesMax: number;
  /** Takes what does not fit the memory, for instance in a large sort; without it such a statement fails. */
  readonly tempFolder?: string;
  /** Of `tempFolder`. */
  readonly tempBytesMax?: number;
  readonly threads: number;
  /** Processor time that planning a statement may take; without it, PLANNING_MS_MAX. */
  readonly planningMsMax?: number;
}
