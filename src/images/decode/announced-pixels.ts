/**
 * How many pixels a picture claims to have, read from its first bytes, to estimate the cost of decoding. Nothing is
 * decoded and the claim is not trusted: a picture that claims too few meets the limits of the process that decodes
 * it.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { unreachable } from '../../platform/errors.ts'
import { LEADING_BYTES, typeOfBytes } from '../inspect/leading-bytes.ts'

/** An AVIF's boxes with its size are searched for in this many bytes. */
const AVIF_HEAD_BYTES = 65_536
/** A JPEG of 25 MB has no more segments before its first scan. */
const JPEG_SEGMENTS_MAX = 600

/** @returns the number of pixels; null if the file does not say, or is no picture */
export async function announcedPixels(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    const head = await bytesAt(file, 0, LEADING_BYTES)
    const type = typeOfBytes(head)
    switch (type) {
      case 'image/svg+xml':
        return 0
      case 'image/png':
        return head.length < 24 ? null : head.readUInt32BE(16) * head.readUInt32BE(20)
      case 'image/gif':
        return head.length < 10 ? null : head.readUInt16LE(6) * head.readUInt16LE(8)
      case 'image/webp':
        return webpPixels(head)
      case 'image/jpeg':
        return await jpegPixels(file)
      case 'image/avif':
        return avifPixels(await bytesAt(file, 0, AVIF_HEAD_BYTES))
      case undefined:
        return null
      default:
        return unreachable(type)
    }
  } finally {
    await file.close()
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

function webpPixels(head: Buffer): number | null {
  if (head.length < 30) return null
  const kind = head.toString('latin1', 12, 16)
  if (kind === 'VP8X') return (head.readUIntLE(24, 3) + 1) * (head.readUIntLE(27, 3) + 1)
  if (kind === 'VP8 ') return (head.readUInt16LE(26) & 0x3fff) * (head.readUInt16LE(28) & 0x3fff)
  if (kind !== 'VP8L') return null
  const bits = head.readUInt32LE(21)
  return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1)
}

/** Skips segments until one has the size: a thumbnail and a profile may come before it. */
async function jpegPixels(file: FileHandle): Promise<number | null> {
  let at = 2
  for (let i = 0; i < JPEG_SEGMENTS_MAX; i++) {
    const segment = await bytesAt(file, at, 9)
    if (segment.length < 9 || segment[0] !== 0xff) return null
    const marker = segment.readUInt8(1)
    // a fill byte, or a marker without a length
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return segment.readUInt16BE(5) * segment.readUInt16BE(7)
    else if (marker === 0xd9 || marker === 0xda) return null
    else at += 2 + segment.readUInt16BE(2)
  }
  return null
}

/** The largest `ispe` box, because tiles and transparency have boxes of their own. */
function avifPixels(head: Buffer): number | null {
  let pixels: number | null = null
  for (let at = head.indexOf('ispe', 0, 'latin1'); at >= 0; at = head.indexOf('ispe', at + 4, 'latin1')) {
    if (at + 16 > head.length) break
    pixels = Math.max(pixels ?? 0, head.readUInt32BE(at + 8) * head.readUInt32BE(at + 12))
  }
  return pixels
}
