/** Decides whether a file is a picture, and of which type and size, by its content alone. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { LIMITS } from '../../platform/limits.ts'
import type { Decoders, Wanted } from './decoders.ts'
import type { ImageRefusal } from '../inspect/image-refusal.ts'
import type { ImageType } from '../inspect/image-type.ts'
import { LEADING_BYTES, typeOfBytes } from '../inspect/leading-bytes.ts'

/**
 * The result for a file: its hash (SHA-256, 64 hexadecimal characters), type and size in pixels as displayed; or the reason why it is
 * refused, with a message that continues a sentence like "the file is refused:".
 */
export type Inspection =
  | { ok: true; hash: string; type: ImageType; width: number; height: number; bytes: number }
  | { ok: false; reason: ImageRefusal; message: string }

/**
 * Inspects a file by decoding it completely; its name and declared type are ignored. Memory and time are limited, and no content
 * makes it throw: it rejects only if the file cannot be read, and for the reasons of Decoders.run.
 */
export async function inspectImage(decoders: Decoders, file: string, wanted: Wanted): Promise<Inspection> {
  const { size: bytes } = await stat(file)
  if (bytes > LIMITS.imageBytesMax)
    return { ok: false, reason: 'too_large', message: `it has more than ${LIMITS.imageBytesMax} bytes` }
  const { hash, head } = await digest(file)
  const type = typeOfBytes(head)
  if (type === undefined)
    return { ok: false, reason: 'not_an_image', message: 'it is no JPEG, PNG, GIF, WebP, AVIF or SVG' }
  if (type === 'image/svg+xml' && bytes > LIMITS.imageSvgBytesMax)
    return { ok: false, reason: 'too_large', message: `an SVG has at most ${LIMITS.imageSvgBytesMax} bytes` }
  const answer = await decoders.run({ kind: 'inspect', file, type }, wanted)
  if (!answer.ok) return answer
  return { ok: true, hash, type, width: answer.width, height: answer.height, bytes }
}

async function digest(file: string): Promise<{ hash: string; head: Buffer }> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    if (head.length < LEADING_BYTES) head = Buffer.concat([head, chunk.subarray(0, LEADING_BYTES - head.length)])
    hash.update(chunk)
  }
  return { hash: hash.digest('hex'), head }
}
