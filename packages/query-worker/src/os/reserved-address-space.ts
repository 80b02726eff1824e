const MIB = 1024 ** 2;
const [major = 0] = process.versions.node.split('.').map(Number);

/**
 * Address space that Node.js 22 and later reserve at the start, in addition to what Node.js 20 maps, and never touch (measured:
 * 1.25 GB mapped by Node.js 24, 0.71 GB by Node.js 20). It is added to the limit of a worker, whose statements would otherwise have
 * that much less memory.
 */
export const RESERVED_BYTES = major >= 22 ? 512 * MIB : 0;
