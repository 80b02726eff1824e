/**
 * Checks whether a value has the members of a sample, each of the same type. Members of arrays are not checked, and null in the sample
 * stands for anything. For values from the storage of the browser, which another version of the page may have written.
 */
export function hasShape<Sample>(sample: Sample, value: unknown): value is Sample {
  if (sample === null || sample === undefined) return true;
  if (Array.isArray(sample)) return Array.isArray(value);
  if (typeof sample !== 'object') return typeof value === typeof sample;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(sample).every(([name, member]) => hasShape(member, Reflect.get(value, name)));
}
