/**
 * Turns NDJSON into one JSON array of the same lines, each on a line of its own, so that `sluice audit verify` still finds every character of
 * them. Works on bytes: JSON has line feeds between its lines only.
 */
export async function* toJsonArray(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[\n');
  let isOpen = false;
  for await (const chunk of source) {
    const text: string = `${isOpen ? '\n' : ''}${Buffer.from(chunk).toString('latin1')}`;
    isOpen = text.endsWith('\n');
    yield Buffer.from((isOpen ? text.slice(0, -1) : text).replaceAll('\n', ',\n'), 'latin1');
  }
  yield Buffer.from('\n]\n');
}

/** Turns the lines of such an array back into those of NDJSON. Anything else stays in the lines, where the verifier finds it. */
export async function* linesOfArray(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string | undefined;
  let [hasBegun, hasEnded] = [false, false];
  for await (const line of lines) {
    if (!hasBegun) hasBegun = true;
    else if (hasEnded) yield line;
    else {
      hasEnded = line === ']';
      if (held !== undefined) yield hasEnded ? held : withoutComma(held);
      held = line;
    }
  }
  if (!hasEnded && held !== undefined) yield `${held} `;
}

const withoutComma = (line: string): string => (line.endsWith(',') ? line.slice(0, -1) : `${line} `);
