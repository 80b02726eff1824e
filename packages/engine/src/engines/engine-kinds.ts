import type { FormatRequirement } from '@sluice/contract';
import type { CatalogListing } from '../catalog/catalog-listing.ts';
import { duckDbListing } from '../duckdb/catalog/duckdb-listing.ts';
import { duckDbParameterMarks } from '../duckdb/parameters/parameter-marks.ts';
import type { DuckDbProfile } from '../duckdb/profile.ts';
import type { Statement } from '../engine.ts';
import type { ParameterMark } from '../parameter-mark.ts';
import { cancelAbandonedStatement } from '../trino/cancel-abandoned-statement.ts';
import { trinoListing } from '../trino/catalog/trino-listing.ts';
import { trinoParameterMarks } from '../trino/parameters/parameter-marks.ts';
import type { TrinoProfile } from '../trino/protocol/profile.ts';
import { TrinoEngine } from '../trino/trino-engine.ts';

/**
 * Engine that serves a tenant, with its settings. Only jobs with the same `key`, which means one tenant and one profile, share a
 * worker. A TrinoProfile holds credentials: a spec reaches a worker over its channel and must not be logged or stored.
 */
export type EngineSpec = {
  readonly key: string;
  /** Version of the database files. A worker opens the engine again when it changes. */
  readonly revision?: string;
} & (
  | { readonly kind: 'duckdb'; readonly profile: DuckDbProfile }
  | { readonly kind: 'trino'; readonly profile: TrinoProfile }
);

/** Capabilities of an engine beyond running statements and returning rows. */
interface EngineCapabilities extends Readonly<Record<FormatRequirement, boolean>> {
  /** Product name, for messages. */
  readonly vendorName: string;
  /** Writes the file of a result itself (Parquet). */
  readonly writesFiles: boolean;
  /** Runs statements outside the worker process, where they continue after the worker was killed. */
  readonly runsRemotely: boolean;
  /** Names the tables of a statement before it runs (`Engine.namedTables`). Otherwise it reports them while the statement runs. */
  readonly namesTablesFirst: boolean;
}

/** Everything that differs between kinds of engines outside a worker. `open-engine.ts` opens the engine itself. */
interface EngineKind<Profile> {
  readonly capabilities: EngineCapabilities;
  /** Host name of the data; `localhost` for an engine that runs in the worker process. */
  location(profile: Profile): string;
  listing(profile: Profile): CatalogListing;
  /** Finds the parameter marks of a statement by the engine's lexer: never in a string, a quoted name or a comment. */
  parameterMarks(sql: string): readonly ParameterMark[];
  /** Throws `engine_unavailable` if an engine outside this process does not respond. */
  check?(profile: Profile): Promise<void>;
  /** Cancels a statement that continues outside its killed worker. Never rejects. */
  cancel?(profile: Profile, statement: Statement, url: string): Promise<void>;
}

type ProfileOf<K extends EngineSpec['kind']> = Extract<EngineSpec, { readonly kind: K }>['profile'];

/** Shorter than the timeout of a readiness probe, and without retries: the next probe is a retry. */
const TRINO_PROBE_LIMITS = { answerTimeoutMs: 1_500, retryForMs: 0 } as const;

const KINDS: { readonly [K in EngineSpec['kind']]: EngineKind<ProfileOf<K>> } = {
  duckdb: {
    capabilities: { vendorName: 'DuckDB', writesFiles: true, runsRemotely: false, namesTablesFirst: true },
    location: () => 'localhost',
    listing: duckDbListing,
    parameterMarks: duckDbParameterMarks,
  },
  trino: {
    capabilities: { vendorName: 'Trino', writesFiles: false, runsRemotely: true, namesTablesFirst: false },
    location: ({ baseUrl }) => new URL(baseUrl).hostname,
    listing: trinoListing,
    parameterMarks: trinoParameterMarks,
    async check(profile) {
      await using engine = new TrinoEngine({ ...profile, limits: TRINO_PROBE_LIMITS });
      await engine.check();
    },
    cancel: (profile, statement, url) => cancelAbandonedStatement({ profile, statement, url }),
  },
};

/** The kind of an engine. A spec has the profile of its own kind, which TypeScript cannot follow. */
const kindOf = ({ kind }: Pick<EngineSpec, 'kind'>) => KINDS[kind] as EngineKind<EngineSpec['profile']>;

export const engineCapabilities = (spec: Pick<EngineSpec, 'kind'>): EngineCapabilities => kindOf(spec).capabilities;

/** Returns the host name of an engine's data; `localhost` for an engine that runs in the worker process. */
export const engineLocation = (spec: EngineSpec): string => kindOf(spec).location(spec.profile);

/** Returns how the catalogs of an engine are listed. */
export const engineListing = (spec: EngineSpec): CatalogListing => kindOf(spec).listing(spec.profile);

/** Finds the parameter marks of a statement for an engine. */
export const parameterMarks = (spec: Pick<EngineSpec, 'kind'>, sql: string): readonly ParameterMark[] =>
  kindOf(spec).parameterMarks(sql);

/** Checks that an engine outside this process responds. Throws `engine_unavailable` with a message about what is wrong. */
export const checkEngine = async (spec: EngineSpec): Promise<void> => kindOf(spec).check?.(spec.profile);

/** A statement whose worker was killed, and the last address that its engine reported (`EngineOptions.onRemoteStatement`). */
interface AbandonedRemoteStatement {
  readonly engine: EngineSpec;
  readonly statement: Statement;
  readonly url: string;
}

/** Cancels a statement that continues outside its killed worker. Never rejects. */
export const cancelRemoteStatement = async ({ engine, statement, url }: AbandonedRemoteStatement): Promise<void> =>
  kindOf(engine).cancel?.(engine.profile, statement, url);
