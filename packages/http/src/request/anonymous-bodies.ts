import { ProblemError } from '@sluice/contract';

/** Limits on bodies that a host reads at the same time from unauthenticated clients. */
export interface AnonymousBodyLimits {
  readonly bodiesMax: number;
  /** Memory for all bodies together. */
  readonly bytesMax: number;
  /** Time limit for a body, from its first byte to the last. */
  readonly timeoutMs: number;
}

const ANONYMOUS_BODY_LIMITS: AnonymousBodyLimits = {
  bodiesMax: 200,
  bytesMax: 4 * 1024 * 1024,
  timeoutMs: 10_000,
};

interface AnonymousBody {
  readonly bytes: number;
  refuse(problem: ProblemError): void;
}

/**
 * Bodies of unauthenticated clients that are being read. Beyond the limits the oldest body is rejected: a normal body arrives at
 * once, so clients that send slowly to occupy the limit cannot block it.
 */
export class AnonymousBodies {
  readonly #limits: AnonymousBodyLimits;
  /** Open bodies in insertion order, so the oldest is first. */
  readonly #open = new Set<AnonymousBody>();
  #bytes = 0;

  constructor(limits: AnonymousBodyLimits = ANONYMOUS_BODY_LIMITS) {
    this.#limits = limits;
  }

  /** Returns a function that removes the body. */
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
  new ProblemError('too_many_requests', 'Too many clients are logging in. Retry and send the whole body at once.', {
    retryAfterSeconds: 1,
  });
