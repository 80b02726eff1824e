const TRIES_MAX = 6;
/** A narrow terminal may break the line at any space. */
const UNCONFIRMED = /has\s*not\s*confirmed\s*it/;

/**
 * Repeats a cancelled command whose engine did not confirm in the 2 s for which the command waits, as on a stalled machine. `cancel` starts
 * the command, stops it and returns what it printed. That one try is enough is asserted under load.
 */
export async function untilConfirmed(cancel: () => Promise<string>): Promise<string> {
  let printed = await cancel();
  for (let tries = 1; UNCONFIRMED.test(printed) && tries < TRIES_MAX; tries += 1) printed = await cancel();
  return printed;
}
