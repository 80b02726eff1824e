/**
 * Fills a path template and adds the query string. Undefined query values are left out; a list repeats its name.
 * @throws TypeError if a parameter of the path is missing, or is a segment that URLs cannot carry
 */
export function expandPath(
  template: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>> = {},
): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`params.${name} is required.`);
    // Every URL parser removes these segments, also when they are encoded.
    if (value === '.' || value === '..') throw new TypeError(`params.${name} must not be "${value}".`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
