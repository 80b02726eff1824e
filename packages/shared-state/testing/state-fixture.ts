import type { SharedState } from '../src/index.ts';

/** One deployment's shared state, as its hosts open it. */
export interface StateFixture extends AsyncDisposable {
  /** One more host. The fixture closes it. Resolves when places can be taken. */
  open(): Promise<SharedState>;
}
