import { Gauge, Histogram, type Registry } from 'prom-client';

/** Buckets of `db.client.operation.duration` (OpenTelemetry semantic conventions, database metrics). */
const DATABASE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

const OPERATION_LABELS = ['db_system_name', 'db_operation_name', 'db_response_status_code', 'error_type'] as const;

/** Connections of the pool that serves requests. */
export interface DatabaseConnections {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** State that is read at each scrape. */
export interface BackEndState {
  backEnds(): Readonly<Record<string, 'ok' | 'down'>>;
  connections(): DatabaseConnections;
}

/** One statement that a database answered or rejected. */
export interface DatabaseOperation {
  /** Its first word, such as `SELECT`. */
  readonly name: string;
  readonly seconds: number;
  /** SQLSTATE of a statement that the server rejected. */
  readonly sqlState?: string;
  /** SQLSTATE, code of the system or class of the failure. */
  readonly errorType?: string;
}

export interface BackEndMetrics {
  readonly databaseOperations: Histogram<(typeof OPERATION_LABELS)[number]>;
  databaseOperationEnded(operation: DatabaseOperation): void;
  /** Names where the state of the back ends is read. Until then, the metrics have no values. */
  watchBackEnds(state: BackEndState): void;
}

/** Creates the metrics of what a host needs: its database, and the results of its health checks. */
export function createBackEndMetrics(registers: Registry[]): BackEndMetrics {
  let state: BackEndState | undefined;
  const databaseOperations = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Time from sending a statement to PostgreSQL to its last row',
    labelNames: OPERATION_LABELS,
    buckets: DATABASE_SECONDS,
    registers,
  });
  const backEndUp: Gauge<'back_end'> = new Gauge({
    name: 'sluice_back_end_up',
    help: '1 while a back end passes its health check, otherwise 0',
    labelNames: ['back_end'],
    registers,
    collect() {
      for (const [name, result] of Object.entries(state?.backEnds() ?? {})) {
        this.set({ back_end: name }, result === 'ok' ? 1 : 0);
      }
    },
  });
  backEndUp.reset();
  createConnectionGauges(registers, () => state?.connections());
  return {
    databaseOperations,
    databaseOperationEnded({ name, seconds, sqlState, errorType }) {
      databaseOperations.observe(
        {
          db_system_name: 'postgresql',
          db_operation_name: name,
          ...(sqlState === undefined ? {} : { db_response_status_code: sqlState }),
          ...(errorType === undefined ? {} : { error_type: errorType }),
        },
        seconds,
      );
    },
    watchBackEnds(watched) {
      state = watched;
    },
  };
}

function createConnectionGauges(registers: Registry[], read: () => DatabaseConnections | undefined): void {
  new Gauge({
    name: 'sluice_database_connections',
    help: 'Open connections of the pool that serves requests, by state: used or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, read()?.used ?? 0);
      this.set({ state: 'idle' }, read()?.idle ?? 0);
    },
  });
  new Gauge({
    name: 'sluice_database_connections_max',
    help: 'Maximum number of connections of that pool (DATABASE_CONNECTIONS)',
    registers,
    collect() {
      this.set(read()?.max ?? 0);
    },
  });
  new Gauge({
    name: 'sluice_database_requests_waiting',
    help: 'Statements waiting for a connection of that pool',
    registers,
    collect() {
      this.set(read()?.waiting ?? 0);
    },
  });
}
