export type PeerFormat = 'csv' | 'json';

export interface PeerRead {
  readonly ms: number;
  /** Processor time of all processes of the peer. */
  readonly cpuSeconds: number;
  readonly bytes: number;
}

/** Another way to get a table out, ready to be measured. */
export interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  /** Protocol by which rows reach the reader, or `in process`. Printed in the report. */
  readonly transport: string;
  /** Differences from Sluice and missing features that a reader of the report needs to weigh the figures. */
  readonly caveat: string;
  /** Rows of each read. */
  readonly rows: number;
  /** Formats that it can write for a whole table. */
  readonly formats: readonly PeerFormat[];
  /** Reads and discards the table `bench_lineitem`. */
  read(format: PeerFormat): Promise<PeerRead>;
}

export interface PeerSources {
  /** Folder for what a peer installs or loads; kept between runs. */
  readonly folder: string;
  /** Path of the DuckDB file. */
  readonly database: string;
  /** The table as Parquet. */
  readonly parquet: string;
  readonly rows: number;
}

/** Installs and starts a peer. Rejects with an Error that says why it is not available. */
export type OpenPeer = (sources: PeerSources) => Promise<Peer>;
