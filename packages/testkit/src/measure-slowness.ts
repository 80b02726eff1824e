/** Time of the fixed work on the reference machine (.ci/machine-speed.mjs), by one processor. */
const FIXED_WORK_MS = 6;
const ROUNDS = 60;

/**
 * Returns how many times as long as on the reference machine a fixed piece of work takes now, at least 1: what limits of time are scaled by.
 * The fastest of its rounds counts, so pauses do not.
 */
export function measureSlowness(): number {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, values: [id, id / 3, `${id}`] }));
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const parsed: typeof rows = JSON.parse(JSON.stringify(rows));
    parsed.sort((one, other) => (one.name < other.name ? -1 : 1));
    const text = parsed.map(({ name, values }) => `${name}=${values.join(',')}`).join('\n');
    if (text.match(/row (\d+)=\1/g)?.length !== rows.length) throw new Error('The fixed work did not do its work.');
    fastest = Math.min(fastest, performance.now() - begun);
  }
  return Math.max(1, fastest / FIXED_WORK_MS);
}
