/** Detects the type that a file claims by its first bytes. Whether it really is a picture is decided by decoding it. */
import type { ImageType } from './image-type.ts'

/** How many of the first bytes typeOfBytes needs. */
export const LEADING_BYTES = 64

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const AVIF_BRANDS = ['avif', 'avis']

/** The type that the first LEADING_BYTES bytes of a file claim; undefined for any type that is not served. */
export function typeOfBytes(head: Buffer): ImageType | undefined {
  const text = head.toString('latin1', 0, LEADING_BYTES)
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (PNG.equals(head.subarray(0, PNG.length))) return 'image/png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('ftyp', 4)) return hasAvifBrand(head, text) ? 'image/avif' : undefined
  // a byte order mark and white space may come before the first tag; whether it is SVG is decided by the parser
  return /^(?:\xef\xbb\xbf)?\s*</.test(text) ? 'image/svg+xml' : undefined
}

/** The box `ftyp`: its length, major brand, minor version, and compatible brands. */
function hasAvifBrand(head: Buffer, text: string): boolean {
  const end = Math.min(head.readUInt32BE(0), text.length)
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && AVIF_BRANDS.includes(text.slice(at, at + 4))) return true
  }
  return false
}
