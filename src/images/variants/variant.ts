/** The variants of a picture: a bounded number of smaller sizes and other types. */
import { createHash } from 'node:crypto'
import { IMAGE_SIZE_MAX, IMAGE_SIZES, type IMAGE_FORMATS, type ImageFit } from '../../../contract/routes/images.ts'
import type { VariantType } from '../decode/job.ts'
import { imageExtension, type ImageType } from '../inspect/image-type.ts'

/** Raise it with the way pictures are converted: what was made before is then made again. */
const VERSION = 1

/** A picture to be made of another one. */
export interface Variant {
  hash: string
  source: ImageType
  type: VariantType
  /** Pixels that it may be wide and high at most. */
  width: number
  height: number
  fit: ImageFit
  /** Its file's name; two variants of one name have the same bytes. */
  name: string
}

/** What a client asks for. */
export interface WantedVariant {
  width?: number | undefined
  height?: number | undefined
  fit?: ImageFit | undefined
  /** A type without `image/`. */
  format?: (typeof IMAGE_FORMATS)[number] | undefined
}

/** The variant that is asked for; null where the picture is answered as it is: nothing is asked for, or it is an SVG. */
export function variantOf(
  hash: string,
  source: ImageType,
  { width, height, fit = 'inside', format }: WantedVariant,
): Variant | null {
  if (source === 'image/svg+xml' || (width === undefined && height === undefined && format === undefined)) return null
  const type: VariantType = format !== undefined ? `image/${format}` : source === 'image/gif' ? 'image/png' : source
  // where one of them is missing, a picture within has any, and an exact one is a square
  const other = (edge: number | undefined) => (fit === 'inside' ? IMAGE_SIZE_MAX : (edge ?? IMAGE_SIZE_MAX))
  const box = { width: sizeFor(width ?? other(height)), height: sizeFor(height ?? other(width)) }
  const how = fit === 'inside' ? '' : `-${fit}`
  const name = `${hash}-${box.width}x${box.height}${how}-${VERSION}.${imageExtension(type)}`
  return { hash, source, type, ...box, fit, name }
}

/** The size that is made for a number of pixels: so few that nobody has a picture made in thousands of sizes. */
const sizeFor = (edge: number): number => IMAGE_SIZES.find((size) => size >= edge) ?? IMAGE_SIZE_MAX

/** Whether pictures are made in exactly this size. */
export const isListedSize = (edge: number): boolean => (IMAGE_SIZES as readonly number[]).includes(edge)

/**
 * The type for a client that names those which it takes (RFC 9110, Accept). AVIF and WebP must be named: programs that know neither send
 * `image/*`.
 */
export function acceptedFormat(accept: string | undefined, source: ImageType): (typeof IMAGE_FORMATS)[number] {
  const plain = source === 'image/png' || source === 'image/gif' ? 'png' : 'jpeg'
  const weights = new Map(
    (accept ?? '').split(',').map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (type: string) => weights.get(`image/${type}`) ?? 0
  const best = weightOf('avif') >= weightOf('webp') ? 'avif' : 'webp'
  return weightOf(best) > 0 && weightOf(best) >= weightOf(plain) ? best : plain
}

/** An ETag, in its quotes. */
export const variantTag = ({ name }: Variant): string =>
  `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`
