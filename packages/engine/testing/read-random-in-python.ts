import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Computes the values of `RANDOM_COLUMNS` from the row's number again, without DuckDB, and writes them as docs/values.md says. Prints
 * how many cells it compared, and the first that differ.
 */
const SCRIPT = `
import csv, datetime, decimal, hashlib, json, math, struct, sys, uuid
decimal.getcontext().prec = 60
U63, U127 = 1 << 63, 1 << 127
def bits_of(name, u, lo, hi, i):
    kind, bits = name.rstrip("0123456789"), int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    if bits == 128: return u if kind == "u" else u - U127 if kind == "s" else u // 10 ** (i % 39)
    all_bits = lo & ((1 << bits) - 1)
    return all_bits if kind == "u" else all_bits - (1 << (bits - 1)) if kind == "s" else all_bits >> (i % bits)
def decimal_of(width, scale, u, hi, i):
    units = u % 10 ** (1 + i % width)
    sign = 1 if hi % 2 == 1 and units != 0 else 0
    return format(decimal.Decimal((sign, tuple(map(int, str(units))), -scale)), "f")
def word(number):
    if number != number: return "NaN"
    return "Infinity" if number > 0 else "-Infinity" if math.isinf(number) else repr(number)
def double_of(number): return repr(number) if math.isfinite(number) else word(number)
def float_matches(written, bits):
    number = struct.unpack("<f", struct.pack("<I", bits))[0]
    if not math.isfinite(number): return written == word(number)
    digits = len(written.split("e")[0].replace(".", "").replace("-", "").strip("0")) or 1
    if struct.pack("<f", float(written)) != struct.pack("<f", number): return False
    return digits == 1 or struct.pack("<f", float("%.*e" % (digits - 2, number))) != struct.pack("<f", number)
ERA_DAYS = 146097
def day_of(days):
    era, rest = divmod(days + 719162, ERA_DAYS)
    date = datetime.date.fromordinal(rest + 1)
    year = date.year + 400 * era
    text = "-%04d" % -year if year < 0 else "%04d" % year if year <= 9999 else "+%d" % year
    return "%s-%02d-%02d" % (text, date.month, date.day)
def clock_of(ticks, digits):
    seconds, fraction = divmod(ticks, 10 ** digits)
    text = "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)
    return text + (".%0*d" % (digits, fraction) if digits else "")
def moment_of(ticks, digits):
    days, rest = divmod(ticks, 86400 * 10 ** digits)
    return day_of(days) + " " + clock_of(rest, digits)
def microseconds(lo, i):
    if i % 2: return lo % 315537897600000000 - 62135596800000000
    return max(-9223372022400000000, min(9223372036854775806, lo - U63))
def truncated(value, by): return value // by if value >= 0 else -(-value // by)
def signed64(lo): return max(-9223286400000000000, lo - U63)
OTHERS = {
    "boolean": lambda u, lo, hi, i, md5: "true" if lo % 2 else "false",
    "double": lambda u, lo, hi, i, md5: double_of(struct.unpack("<d", struct.pack("<Q", lo))[0]),
    "cents": lambda u, lo, hi, i, md5: repr((lo % 200000000) / 100 - 1000000),
    "date": lambda u, lo, hi, i, md5: day_of(lo % 3652059 - 719162 if i % 2 else max(-2147483646, (lo & 0xffffffff) - 2147483649)),
    "time": lambda u, lo, hi, i, md5: clock_of(lo % 86400000000, 6),
    "time_ns": lambda u, lo, hi, i, md5: clock_of(lo % 86400000000000, 9),
    "timestamp": lambda u, lo, hi, i, md5: moment_of(microseconds(lo, i), 6),
    "timestamptz": lambda u, lo, hi, i, md5: moment_of(microseconds(lo, i), 6) + " UTC",
    "timestamp_s": lambda u, lo, hi, i, md5: moment_of(truncated(microseconds(lo, i), 2000000), 0),
    "timestamp_ms": lambda u, lo, hi, i, md5: moment_of(truncated(microseconds(lo, i), 2000), 3),
    "timestamp_ns": lambda u, lo, hi, i, md5: moment_of(signed64(lo), 9),
    "uuid": lambda u, lo, hi, i, md5: str(uuid.UUID(md5)),
    "text": lambda u, lo, hi, i, md5: (md5 * 2)[: lo % 40],
}
def matches(name, written, u, lo, hi, i, md5):
    if name == "float": return float_matches(written, lo & 0xffffffff)
    if name in OTHERS: return written == OTHERS[name](u, lo, hi, i, md5)
    if name.startswith("decimal_"):
        width, scale = map(int, name.split("_")[1:])
        return written == decimal_of(width, scale, u, hi, i)
    return written == str(bits_of(name, u, lo, hi, i))
rows = csv.reader(sys.stdin)
names, compared, wrong = next(rows)[1:], 0, []
for number, *cells in rows:
    digest = hashlib.md5(number.encode())
    u, i, md5 = int.from_bytes(digest.digest(), "little"), int(number), digest.hexdigest()
    for name, written in zip(names, cells, strict=True):
        compared += 1
        if not matches(name, written, u, u & (1 << 64) - 1, u >> 64, i, md5) and len(wrong) < 20: wrong.append([name, number, written])
json.dump([compared, wrong], sys.stdout)
`;

export interface ComparedCells {
  readonly compared: number;
  /** Column, row number and text of the first cells that differ. */
  readonly wrong: readonly (readonly [string, string, string])[];
}

/** Columns whose text Python does not compute. */
export const NOT_IN_PYTHON: ReadonlySet<string> = new Set(['interval', 'list', 'enum', 'blob']);

/** Compares a CSV with a header, made by `selectRandom` from columns that Python knows, with what Python computes. */
export async function readRandomInPython(csv: string): Promise<ComparedCells> {
  const child = spawn('python3', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(csv);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const [compared, wrong] = JSON.parse(output) as [number, ComparedCells['wrong']];
  return { compared, wrong };
}
