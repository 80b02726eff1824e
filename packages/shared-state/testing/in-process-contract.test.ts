import { createInProcessState } from '../src/index.ts';
import { describeSharedState } from './shared-state-contract.ts';

describeSharedState('one process', async () => {
  const state = createInProcessState();
  return { open: async () => state, [Symbol.asyncDispose]: () => state[Symbol.asyncDispose]() };
});
