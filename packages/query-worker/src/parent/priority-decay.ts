import { setNiceness, WORKER_NICENESS } from '../os/niceness.ts';

/** The longer a statement runs, the lower its priority, so that short statements overtake it. `niceness` is above that of the host. */
const STEPS: readonly { readonly afterMs: number; readonly niceness: number }[] = [
  { afterMs: 3_000, niceness: 10 },
  { afterMs: 15_000, niceness: 19 },
];

/** Lowers the priority of a worker as its statement runs longer. */
export class PriorityDecay {
  readonly #pid: number;
  readonly #timers: readonly NodeJS.Timeout[];
  #isLowered = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timers = STEPS.map(({ afterMs, niceness }) =>
      setTimeout(() => {
        this.#isLowered = true;
        setNiceness(pid, niceness);
      }, afterMs).unref(),
    );
  }

  /** Restores the priority when the statement has ended. Returns false when it stays low: raising a priority takes a privilege. */
  end(): boolean {
    for (const timer of this.#timers) clearTimeout(timer);
    return !this.#isLowered || setNiceness(this.#pid, WORKER_NICENESS);
  }
}
