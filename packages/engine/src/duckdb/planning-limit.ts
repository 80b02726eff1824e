import { ProblemError } from '@sluice/contract/problems';

/** An engine thread still works on something that no caller awaits any more, so its connection cannot be closed. */
export class AbandonedWork extends Error {
  readonly problem: ProblemError;

  constructor(problem: ProblemError) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Interval of checks of the processor time. */
const CHECK_INTERVAL_MS = 100;

/**
 * Waits for work of the engine's parser or planner, which DuckDB never interrupts; beyond this much processor time the work is
 * abandoned with this problem. Processor time, because on a busy machine a statement that is planned in a second may wait for
 * ten. It is the time of the whole process, which plans one statement at a time and does nothing else meanwhile.
 */
export async function withProcessorLimit<T>(
  work: Promise<T>,
  processorMsMax: number,
  problem: () => ProblemError,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => undefined); // once abandoned, its failure is not awaited
  const start = process.cpuUsage();
  const limit = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1_000 > processorMsMax) reject(new AbandonedWork(problem()));
    }, CHECK_INTERVAL_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearInterval(timer);
  }
}

/** Processor time that DuckDB may take to turn a statement into a tree (210 KB of `1=1 or` took 6.9 s, measured). */
const TREE_MS_MAX = 2_000;

/** Waits for a tree of DuckDB's parser. */
export const withTreeLimit = <T>(work: Promise<T>): Promise<T> => withProcessorLimit(work, TREE_MS_MAX, tooComplex);

export const tooComplex = (): ProblemError =>
  new ProblemError(
    'resource_limit',
    'The statement is too complex to be checked. Put long lists of values into a table, or shorten the condition.',
  );

/** Planning time doubles with each level of some nestings. 5,000 columns take 1 to 5 s; most statements take milliseconds. */
const PLANNING_MS_MAX = 20_000;

/** Waits for a plan. Throws AbandonedWork with `resource_limit`: the same statement would take the same processor time again. */
export const withPlanningLimit = <T>(work: Promise<T>, planningMsMax = PLANNING_MS_MAX): Promise<T> =>
  withProcessorLimit(work, planningMsMax, () => tooSlowToPlan(planningMsMax));

const tooSlowToPlan = (planningMsMax: number): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The query was not run: planning it took more than ${planningMsMax / 1_000} s of processor time. Select fewer columns, nest less deeply, or split the statement into several.`,
  );
