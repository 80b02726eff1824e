import type { SharedState } from '../src/index.ts';

/** Shared state of one deployment, which its hosts open. */
export interface StateFixture extends AsyncDisposable {
  /** Opens one more host, which the fixture closes. Resolves when slots can be acquired. */
  open(): Promise<SharedState>;
}
