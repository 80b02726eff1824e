import { expect, it } from '@jest/globals';
import { nodeAdvice } from './node-advice.ts';

it('recommends Node 24 in one line to older versions only', () => {
  expect(['20.19.0', '22.20.0', '24.0.0', '26.1.0'].map(nodeAdvice)).toEqual([
    'Node 24 is recommended, which gets security fixes for longest; this is Node 20.19.0.',
    'Node 24 is recommended, which gets security fixes for longest; this is Node 22.20.0.',
    undefined,
    undefined,
  ]);
});
