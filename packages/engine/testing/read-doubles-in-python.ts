import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Prints how many lines of standard input it read, and those with an unexpected number. */
const SCRIPT = `
import json, math, struct, sys
def from_bits(bits, integer, number):
    return struct.unpack(number, struct.pack(integer, int(bits)))[0]
def power(base, exponent, side):
    value = math.ldexp(1, int(exponent)) if base == "2" else float("1e" + exponent)
    return value if side == "0" else math.nextafter(value, math.inf if side == "1" else -math.inf)
EXPECTED = {
    "double": lambda bits: from_bits(bits, "<Q", "<d"),
    "float": lambda bits: from_bits(bits, "<I", "<f"),
    "power": power,
    "negative": lambda *power_of: -power(*power_of),
}
read, wrong = 0, []
for line in sys.stdin:
    read += 1
    kind, *arguments, written = line.rstrip("\\n").split(",")
    expected = EXPECTED[kind](*arguments)
    try: number = float(written)
    except ValueError: number = math.nan
    if kind == "float": number = struct.unpack("<f", struct.pack("<f", number))[0]
    if struct.pack("<d", number) != struct.pack("<d", expected): wrong.append(line)
json.dump([read, wrong[:20]], sys.stdout)
`;

interface MisreadDoubles {
  readonly read: number;
  /** First lines whose number has other bits than expected. */
  readonly wrong: readonly string[];
}

/**
 * Asks Python whether the number at the end of each CSV line is the one that its first fields describe: `double,<bits>`,
 * `float,<bits>`, `power,<base>,<exponent>,<-1, 0 or 1 for the neighbour>` or the same with `negative`.
 */
export async function readDoublesInPython(lines: string): Promise<MisreadDoubles> {
  const child = spawn('python3', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(lines);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const [read, wrong] = JSON.parse(output) as [number, string[]];
  return { read, wrong };
}
