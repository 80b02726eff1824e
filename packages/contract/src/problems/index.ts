/** Errors without the schemas of requests, for query workers, which must start fast: zod takes a third of their start (measured). */
export { PROBLEMS, type ProblemCode } from './problem.ts';
export { asProblem, type EngineError, ProblemError, type SqlLocation } from './problem-error.ts';
export { storageUnavailable, temporaryFileProblem } from './temporary-file-problem.ts';
