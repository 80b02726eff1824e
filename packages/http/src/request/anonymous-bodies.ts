import { ProblemError } from '@sluice/contract';

/** Limits of what a host reads at a time from clients that it does not know yet. */
export interface AnonymousBodyLimits {
  readonly bodiesMax: number;
  /** Memory for all of them together. */
  readonly bytesMax: number;
  /** Time limit of a whole body, from its first byte to the last. */
  readonly timeoutMs: number;
}

export const ANONYMOUS_BODY_LIMITS: AnonymousBodyLimits = {
  bodiesMax: 200,
  bytesMax: 4 * 1024 * 1024,
  timeoutMs: 10_000,
};

export interface AnonymousBody {
  readonly bytes: number;
  refuse(problem: ProblemError): void;
}

/**
 * The bodies that are being read before a login. Where there would be more than allowed, the one that has been open for longest makes room:
 * an honest body arrives at once, and clients that send slowly, to hold a place, cannot keep it out.
 */
export class AnonymousBodies {
  readonly #limits: AnonymousBodyLimits;
  /** A Set keeps the order of insertion, so the oldest comes first. */
  readonly #open = new Set<AnonymousBody>();
  #bytes = 0;

  constructor(limits: AnonymousBodyLimits = ANONYMOUS_BODY_LIMITS) {
    this.#limits = limits;
  }

  /** Returns the function that takes it out again. */
  add(body: AnonymousBody): () => void {
    this.#open.add(body);
    this.#bytes += body.bytes;
    const timer = setTimeout(() => body.refuse(tooSlow(this.#limits.timeoutMs)), this.#limits.timeoutMs);
    this.#makeRoom();
    return () => {
      clearTimeout(timer);
      if (this.#open.delete(body)) this.#bytes -= body.bytes;
    };
  }

  #makeRoom(): void {
    for (const oldest of this.#open) {
      if (this.#open.size <= this.#limits.bodiesMax && this.#bytes <= this.#limits.bytesMax) return;
      oldest.refuse(crowded());
    }
  }
}

const tooSlow = (timeoutMs: number): ProblemError =>
  new ProblemError('request_timeout', `The body was not sent within ${timeoutMs / 1000} s.`);

const crowded = (): ProblemError =>
  new ProblemError(
    'too_many_requests',
    'Too many clients are sending a login. Send the whole body at once, in a moment.',
    {
      retryAfterSeconds: 1,
    },
  );
