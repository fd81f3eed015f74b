/** The variants of a picture: a bounded number of smaller sizes and other types. */
import { createHash } from 'node:crypto'
import type { VariantType } from '../decode/job.ts'
import { imageExtension, type ImageType } from '../inspect/image-type.ts'

/** Raise it with the way pictures are converted: what was made before is then made again. */
const VERSION = 1
/** The largest size: also of a picture that is only converted. */
const SIZE_MAX = 2_000

/** A picture to be made of another one. */
export interface Variant {
  hash: string
  source: ImageType
  type: VariantType
  /** Pixels that it may be wide and high at most. */
  width: number
  height: number
  /** Its file's name; two variants of one name have the same bytes. */
  name: string
}

/**
 * The variant that is asked for; null where the picture is answered as it is: nothing is asked for, or it is an SVG.
 * @param format a type without `image/`.
 */
export function variantOf(
  hash: string,
  source: ImageType,
  { width, height, format }: { width?: number | undefined; height?: number | undefined; format?: string | undefined },
): Variant | null {
  if (source === 'image/svg+xml' || (width === undefined && height === undefined && format === undefined)) return null
  const type = (format !== undefined ? `image/${format}` : source === 'image/gif' ? 'image/png' : source) as VariantType
  const box = { width: width ?? SIZE_MAX, height: height ?? SIZE_MAX }
  const name = `${hash}-${box.width}x${box.height}-${VERSION}.${imageExtension(type)}`
  return { hash, source, type, ...box, name }
}

/** An ETag, in its quotes. */
export const variantTag = ({ name }: Variant): string =>
  `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`
