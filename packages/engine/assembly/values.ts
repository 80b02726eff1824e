/** Text of a value of any stored type except strings. Each function writes at `out` and returns the address after the text. */
import { writeDecimal, writeHuge, writeI64, writeU32, writeU64, writeUuid } from './digits';
import { writeDouble, writeFloat } from './doubles';
import { ENTRY_DATA, ENTRY_LAST_DAY, ENTRY_LAST_TEXT, ENTRY_POWER, ENTRY_SCALE, Kind } from './entry';
import { writeDate, writeMicroseconds, writeTime, writeTimestamp } from './times';

@inline export function writeValue(entry: usize, kind: i32, row: u32, out: usize, isJson: bool): usize {
  const data = load<usize>(entry, ENTRY_DATA);
  switch (kind) {
    case Kind.Boolean:
      return writeBoolean(out, load<u8>(data + row) != 0);
    case Kind.Int8:
      return writeI64(out, load<i8>(data + row));
    case Kind.Int16:
      return writeI64(out, load<i16>(data + (<usize>row << 1)));
    case Kind.Int32:
      return writeI64(out, load<i32>(data + (<usize>row << 2)));
    case Kind.Int64:
      return writeI64(out, load<i64>(data + (<usize>row << 3)));
    case Kind.UInt8:
      return writeU32(out, load<u8>(data + row));
    case Kind.UInt16:
      return writeU32(out, load<u16>(data + (<usize>row << 1)));
    case Kind.UInt32:
      return writeU32(out, load<u32>(data + (<usize>row << 2)));
    case Kind.UInt64:
      return writeU64(out, load<u64>(data + (<usize>row << 3)));
    case Kind.Int128:
    case Kind.UInt128: {
      const value = data + (<usize>row << 4);
      return writeHuge(out, load<u64>(value), load<u64>(value, 8), kind == Kind.Int128, load<u8>(entry, ENTRY_SCALE));
    }
    case Kind.Float:
      return writeFloat(out, load<f32>(data + (<usize>row << 2)), isJson);
    case Kind.Double:
      return writeDouble(out, load<f64>(data + (<usize>row << 3)), isJson);
    case Kind.Decimal16:
      return writeScaled(entry, out, load<i16>(data + (<usize>row << 1)));
    case Kind.Decimal32:
      return writeScaled(entry, out, load<i32>(data + (<usize>row << 2)));
    case Kind.Decimal64:
      return writeScaled(entry, out, load<i64>(data + (<usize>row << 3)));
    case Kind.Date:
      return writeDate(out, load<i32>(data + (<usize>row << 2)));
    case Kind.Time:
      return writeTime(out, load<i64>(data + (<usize>row << 3)), load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
    case Kind.Timestamp:
      return writeTimestamp(out, load<i64>(data + (<usize>row << 3)), load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
    case Kind.Microseconds:
      return writeMicroseconds(out, load<i64>(data + (<usize>row << 3)), entry + ENTRY_LAST_DAY, entry + ENTRY_LAST_TEXT);
    case Kind.MicrosecondsUtc:
      return writeUtc(entry, out, load<i64>(data + (<usize>row << 3)));
    case Kind.Uuid: {
      const value = data + (<usize>row << 4);
      return writeUuid(out, load<u64>(value), load<u64>(value, 8));
    }
    default:
      return out; // None
  }
}

@inline function writeScaled(entry: usize, out: usize, value: i64): usize {
  return writeDecimal(out, value, load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
}

function writeBoolean(out: usize, value: bool): usize {
  if (value) {
    store<u32>(out, 0x65757274); // "true"
    return out + 4;
  }
  store<u32>(out, 0x736c6166); // "fals"
  store<u8>(out + 4, 101);
  return out + 5;
}

/** Infinities have no zone. */
function writeUtc(entry: usize, out: usize, ticks: i64): usize {
  out = writeMicroseconds(out, ticks, entry + ENTRY_LAST_DAY, entry + ENTRY_LAST_TEXT);
  if (ticks == i64.MAX_VALUE || ticks == -i64.MAX_VALUE) return out;
  store<u32>(out, 0x43545520); // " UTC"
  return out + 4;
}
