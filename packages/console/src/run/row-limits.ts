/** Choices of the most rows that a run asks for. */
export const ROW_LIMITS = [100, 1000, 10_000, 100_000] as const;
/** Rows that a run asks for if the user has not chosen: enough to look at, and no table is read whole by a press of a button. */
const DEFAULT_ROW_LIMIT = 1000;

/**
 * Returns the most rows that a run of an editor tab asks for. Undefined: all rows.
 * @param stored - limit as the tab has stored it. `null`: all rows. Undefined: the user has not chosen
 */
export const rowLimitOf = (stored: number | null | undefined): number | undefined =>
  stored === null ? undefined : (ROW_LIMITS.find((limit) => limit === stored) ?? DEFAULT_ROW_LIMIT);
