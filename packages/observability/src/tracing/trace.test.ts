import { describe, expect, it } from '@jest/globals';
import { continueTrace } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('continueTrace', () => {
  it('keeps the trace id and the sampling flag, with a new span', () => {
    const trace = continueTrace(`00-${TRACE}-${PARENT}-01`);
    expect(trace).toMatchObject({ traceId: TRACE, parentId: PARENT, sampled: true });
    expect(trace.spanId).not.toBe(PARENT);
    expect(trace.traceparent).toBe(`00-${TRACE}-${trace.spanId}-01`);
  });

  it('reads a later version that appends fields', () => {
    expect(continueTrace(`cc-${TRACE}-${PARENT}-00-what-the-future-brings`).traceId).toBe(TRACE);
  });

  it.each([
    undefined,
    '',
    'x',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01\r\nx: y`,
  ])('begins a new trace where there is none that is valid: %p', (header) => {
    const trace = continueTrace(header);
    expect(trace.parentId).toBeUndefined();
    expect(trace.traceId).not.toBe(TRACE);
    expect(trace.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});
