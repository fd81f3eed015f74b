import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

// Pictures for tests: real ones, and hostile files.

/** The types that a raster picture can have, as sharp names them. */
export const RASTERS = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const

/** A picture with random pixels, which hardly compress. @param seed different seeds give different pictures */
export async function picture(
  format: (typeof RASTERS)[number],
  { width = 320, height = 200, seed = 1 } = {},
): Promise<Buffer> {
  const raw = Buffer.alloc(width * height * 3)
  let state = seed
  for (let i = 0; i < raw.length; i++) raw[i] = (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16
  const made = sharp(raw, { raw: { width, height, channels: 3 } })
  return format === 'avif' ? made.avif({ effort: 0 }).toBuffer() : made[format]().toBuffer()
}

/** A picture of one colour. */
export async function plainPicture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' = 'png',
): Promise<Buffer> {
  const plain = sharp({ create: { width, height, channels: 3, background: '#c33' } })
  return plain[format]().toBuffer()
}

/**
 * A black PNG of one bit per pixel: a few kB that need much memory when decoded.
 * @param rows the number of rows in the file; the others are missing
 */
export function pngBomb(width: number, height: number, rows = height): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length, 0)
    body.copy(framed, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An AVIF file of one colour with 25 or 50 megapixels; `deep` has 10 bits and transparency. */
export const avifBomb = (kind: 'plain' | 'deep', side: 4_990 | 7_070): Buffer =>
  readFileSync(new URL(`../fixtures/pictures/${kind}-${side}.avif`, import.meta.url))

/** An animation whose frames change one pixel of a large picture each: 30 bytes that are drawn as `width` * `height` pixels. */
export function gifBomb(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('47494638396100000000800000000000ffffff'.padEnd(38, '0'), 'hex')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from('3b', 'hex')])
}

/** A JPEG whose header states a larger size than it has. */
export async function jpegBomb(width: number, height: number): Promise<Buffer> {
  const bytes = await plainPicture(16, 16, 'jpeg')
  const frame = bytes.indexOf(Buffer.from('ffc00011', 'hex'))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

/** Writes a file into a directory. @returns its path */
export function fileOf(directory: string, name: string, bytes: Uint8Array | string): string {
  const file = join(directory, name)
  writeFileSync(file, bytes)
  return file
}
