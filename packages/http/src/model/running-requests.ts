import type { ProblemError } from '@sluice/contract';

/** Requests whose responses are not complete. A drain waits for them and then aborts the rest. */
export interface RunningRequests {
  readonly size: number;
  /** Returns a function that removes the request. */
  add(controller: AbortController): () => void;
  abortAll(reason: ProblemError): void;
  /** Resolves to true as soon as no request is running, or to false after `timeoutMs`. */
  whenIdle(timeoutMs: number): Promise<boolean>;
}

export function createRunningRequests(): RunningRequests {
  const controllers = new Set<AbortController>();
  const waiting = new Set<() => void>();
  return {
    get size() {
      return controllers.size;
    },
    add(controller) {
      controllers.add(controller);
      return () => {
        controllers.delete(controller);
        if (controllers.size === 0) for (const resume of waiting) resume();
      };
    },
    abortAll(reason) {
      for (const controller of controllers) controller.abort(reason);
    },
    whenIdle(timeoutMs) {
      if (controllers.size === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (none: boolean) => {
          clearTimeout(timer);
          waiting.delete(resume);
          resolve(none);
        };
        const resume = () => settle(true);
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiting.add(resume);
      });
    },
  };
}
