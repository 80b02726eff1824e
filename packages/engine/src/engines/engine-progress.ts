/** Progress of a running statement, for engines that report it. */
export interface EngineProgress {
  /** The statement waits in the engine's own queue. */
  readonly isQueued: boolean;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}
