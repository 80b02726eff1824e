import { describe, expect, it } from '@jest/globals';
import { parseOtlpHeaders } from './open-host-tracer.ts';

describe('parseOtlpHeaders', () => {
  it('reads names and percent-encoded values', () => {
    expect(parseOtlpHeaders('')).toEqual({});
    expect(parseOtlpHeaders('api-key=a%2Cb%3D, x-tenant = ops')).toEqual({ 'api-key': 'a,b=', 'x-tenant': 'ops' });
  });

  it.each(['x', 'x=1,', '=1', 'x=%zz', 'x y=1', 'x=a\nb'])('rejects %j without repeating it', (text) => {
    expect(() => parseOtlpHeaders(text)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS must have the form/);
  });
});
