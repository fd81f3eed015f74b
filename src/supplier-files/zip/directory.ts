/**
 * One file of a zip archive, as the archive's directory states it. `size` and `crc` (CRC-32) are those of the unpacked file; sizes are
 * in bytes.
 */
export interface DirectoryEntry {
  name: string
  /** The bytes of the name, decoded as Latin-1. */
  nameBytes: string
  crc: number
  size: number
  compressedSize: number
  /** 8: deflated, 0: stored. */
  method: number
  /** The byte offset of the file in the archive. */
  offset: number
}

const END_OF_DIRECTORY = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const COMMENT_BYTES_MAX = 65_535

/**
 * Reads the directory at the end of a zip archive.
 * @param tail the last bytes of the archive. @param from the byte offset of `tail` in the archive
 * @returns its files; `cut-off` if the tail has no end of a directory; `damaged` if the directory cannot be read, or begins before the
 * tail
 */
export function directoryOf(tail: Buffer, from: number): DirectoryEntry[] | 'cut-off' | 'damaged' {
  const end = endOfDirectory(tail)
  if (end === -1) return 'cut-off'
  const count = tail.readUInt16LE(end + 10)
  let at = tail.readUInt32LE(end + 16) - from
  const entries: DirectoryEntry[] = []
  for (let i = 0; i < count; i++) {
    if (at < 0 || at + ENTRY_BYTES > tail.length || tail.readUInt32LE(at) !== ENTRY) return 'damaged'
    const nameLength = tail.readUInt16LE(at + 28)
    const nameAt = at + ENTRY_BYTES
    entries.push({
      name: tail.toString('utf8', nameAt, nameAt + nameLength),
      nameBytes: tail.toString('latin1', nameAt, nameAt + nameLength),
      crc: tail.readUInt32LE(at + 16),
      compressedSize: tail.readUInt32LE(at + 20),
      size: tail.readUInt32LE(at + 24),
      method: tail.readUInt16LE(at + 10),
      offset: tail.readUInt32LE(at + 42),
    })
    at += ENTRY_BYTES + nameLength + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  return entries
}

function endOfDirectory(tail: Buffer): number {
  const first = Math.max(0, tail.length - END_BYTES - COMMENT_BYTES_MAX)
  for (let at = tail.length - END_BYTES; at >= first; at--) if (tail.readUInt32LE(at) === END_OF_DIRECTORY) return at
  return -1
}
