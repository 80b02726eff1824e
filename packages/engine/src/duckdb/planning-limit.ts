import { ProblemError } from '@sluice/contract';

/** An engine thread still works on something that nobody waits for any more, so its connection cannot be closed. */
export class AbandonedWork extends Error {
  readonly problem: ProblemError;

  constructor(problem: ProblemError) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Waits for so long; then the work is given up with this problem, although nothing can stop it. Parsing and planning are never interrupted by DuckDB. */
export async function withDeadline<T>(work: Promise<T>, timeoutMs: number, problem: () => ProblemError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => undefined); // when it is given up, nobody hears how it ends
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AbandonedWork(problem())), timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export const tooComplex = (): ProblemError =>
  new ProblemError(
    'resource_limit',
    'The statement is too complex to be checked. Put long lists of values into a table or a shorter condition.',
  );

/** Planning doubles with each level of some nestings; what is honest takes milliseconds. */
export const PLAN_TIMEOUT_MS = 5_000;

export const tooSlowToPlan = (): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The query was ended because planning it took longer than the ${PLAN_TIMEOUT_MS / 1000} s that it may. Nest less deeply, select fewer columns, or write it in steps.`,
  );
