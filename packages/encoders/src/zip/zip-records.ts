/** An entry as the central directory describes it. */
export interface ZipEntry {
  readonly name: Buffer;
  readonly crc32: number;
  readonly bytesCompressed: number;
  readonly bytes: number;
  /** Offset of its local header from the first byte of the archive. */
  readonly offset: number;
}

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const END = 0x06054b50;
/** A field with this value has its real value in the zip64 record (APPNOTE 4.4.1.4). */
const ZIP64_MARK_32 = 0xffffffff;
const ZIP64_MARK_16 = 0xffff;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
const MADE_ON_UNIX = 3 << 8;
/** Sizes follow the data (bit 3), and names are UTF-8 (bit 11). */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** A plain file, rw-r--r--. */
const UNIX_MODE = 0o100644;

/** Date and time of APPNOTE 4.4.6: two words, in steps of two seconds, from 1980 on. In UTC, because the archive has no time zone. */
export interface DosTime {
  readonly date: number;
  readonly time: number;
}

export function dosTime(date: Date): DosTime {
  const years = Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127);
  return {
    date: (years << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
  };
}

/** APPNOTE 4.3.7, for an entry whose sizes follow its data. */
export function localHeader(name: Buffer, modified: DosTime): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION_PLAIN, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(modified.time, 10);
  header.writeUInt16LE(modified.date, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** APPNOTE 4.3.9, with sizes of 8 bytes if 4 are too few. */
export function dataDescriptor({ crc32, bytesCompressed, bytes }: Omit<ZipEntry, 'name' | 'offset'>): Buffer {
  const isLarge = Math.max(bytesCompressed, bytes) >= ZIP64_MARK_32;
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.writeUInt32LE(DESCRIPTOR, 0);
  descriptor.writeUInt32LE(crc32, 4);
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(bytesCompressed), 8);
    descriptor.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    descriptor.writeUInt32LE(bytesCompressed, 8);
    descriptor.writeUInt32LE(bytes, 12);
  }
  return descriptor;
}

/** APPNOTE 4.3.12, with the zip64 extra field (4.5.3) for values that do not fit. */
function centralHeader(entry: ZipEntry, modified: DosTime): Buffer {
  const large = [entry.bytes, entry.bytesCompressed, entry.offset].filter((value) => value >= ZIP64_MARK_32);
  const extra = large.length === 0 ? Buffer.alloc(0) : zip64Extra(large);
  const header = Buffer.alloc(46);
  const version = large.length === 0 ? VERSION_PLAIN : VERSION_ZIP64;
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_ON_UNIX | version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt16LE(modified.time, 12);
  header.writeUInt16LE(modified.date, 14);
  header.writeUInt32LE(entry.crc32, 16);
  header.writeUInt32LE(Math.min(entry.bytesCompressed, ZIP64_MARK_32), 20);
  header.writeUInt32LE(Math.min(entry.bytes, ZIP64_MARK_32), 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(UNIX_MODE * 0x10000, 38);
  header.writeUInt32LE(Math.min(entry.offset, ZIP64_MARK_32), 42);
  return Buffer.concat([header, entry.name, extra]);
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return extra;
}

/** The central directory and the end of an archive (APPNOTE 4.3.14 to 4.3.16). Every tool rejects an archive without it. */
export function archiveEnd(entries: readonly ZipEntry[], offset: number, modified: DosTime): Buffer {
  const headers = entries.map((entry) => centralHeader(entry, modified));
  const bytes = headers.reduce((sum, header) => sum + header.length, 0);
  const isLarge = entries.length >= ZIP64_MARK_16 || offset >= ZIP64_MARK_32 || bytes >= ZIP64_MARK_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(entries.length, ZIP64_MARK_16), 8);
  end.writeUInt16LE(Math.min(entries.length, ZIP64_MARK_16), 10);
  end.writeUInt32LE(Math.min(bytes, ZIP64_MARK_32), 12);
  end.writeUInt32LE(Math.min(offset, ZIP64_MARK_32), 16);
  return Buffer.concat([...headers, ...(isLarge ? [end64({ entries: entries.length, bytes, offset })] : []), end]);
}

interface Directory {
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
}

function end64({ entries, bytes, offset }: Directory): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(END_64, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  end.writeUInt16LE(VERSION_ZIP64, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(END_64_LOCATOR, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
