// Headers of a tar file (POSIX ustar), which every tar program can read.

export const TAR_BLOCK = 512
/** Sizes from here on do not fit into eleven octal digits and are written in binary, as GNU tar does. */
const OCTAL_MAX = 8 ** 11

/**
 * The header of a file.
 * @param path at most 100 bytes, ASCII
 * @param bytes the length of the content that follows
 */
export function tarHeader(path: string, bytes: number, modifiedAt: Date): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(path)) throw new Error(`a tar file cannot hold the name ${path}`)
  const header = Buffer.alloc(TAR_BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(path, 0, 'latin1')
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  if (bytes < OCTAL_MAX) octal(bytes, 124, 11)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  octal(Math.floor(modifiedAt.getTime() / 1_000), 136, 11)
  header.write('        ', 148, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** The padding after `bytes` bytes of a file, up to a full block. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc((TAR_BLOCK - (bytes % TAR_BLOCK)) % TAR_BLOCK)

/** The end of a tar file. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * TAR_BLOCK)
