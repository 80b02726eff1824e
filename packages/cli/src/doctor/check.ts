/** Result of one check. `warning`: it works, and something should be done all the same. `skipped`: another failure prevented it. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

export interface CheckResult {
  /** Subject of the check, such as `TLS of the API host`. */
  readonly name: string;
  readonly status: CheckStatus;
  /** Sentence with the finding, and with what to do after a warning or failure. */
  readonly message: string;
}

/** Called with each result as soon as it is known. */
export type ReportCheck = (result: CheckResult) => Promise<void>;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
