import { readFileSync } from 'node:fs';

/** Descriptors that are left for PostgreSQL, workers and files; half of them if the process may open few. */
const RESERVED = 256;

/** Returns how many files and connections this process may open. Undefined: no limit, or a system without `/proc`. */
export function openFilesMax(): number | undefined {
  try {
    // Node raises its own limit to the hard one when it starts.
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/**
 * Returns how many connections all servers of a process may hold. Beyond the limit of descriptors, the system resets connections
 * without an event in the process, and files and workers fail too.
 */
export const connectionBudget = (filesMax: number | undefined): number =>
  filesMax === undefined ? Number.POSITIVE_INFINITY : filesMax - Math.min(RESERVED, Math.floor(filesMax / 2));

/** Returns the warning about a setting that this process cannot reach. */
export const connectionWarnings = (connectionsMax: number, filesMax: number | undefined): readonly string[] =>
  connectionsMax <= connectionBudget(filesMax)
    ? []
    : [
        `CONNECTIONS_MAX is ${connectionsMax}, but this process may open ${filesMax} files, so it holds at most ` +
          `${connectionBudget(filesMax)} connections. Raise the limit of open files (ulimit -n), or lower CONNECTIONS_MAX.`,
      ];
