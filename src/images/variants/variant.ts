/** The variants of a picture: a limited number of smaller sizes and other types. */
import { createHash } from 'node:crypto'
import { IMAGE_SIZE_MAX, IMAGE_SIZES, type IMAGE_FORMATS, type ImageFit } from '../../../contract/routes/images.ts'
import type { VariantType } from '../decode/job.ts'
import { imageExtension, type ImageType } from '../inspect/image-type.ts'

/** Raise this when the conversion of pictures changes: variants of earlier versions are then made again. */
const VERSION = 1

/** A picture to be made from another one. */
export interface Variant {
  hash: string
  source: ImageType
  type: VariantType
  /** The box in pixels that the result must fit into. */
  width: number
  height: number
  fit: ImageFit
  /** The file name; two variants with one name have the same bytes. */
  name: string
}

/** The size and type that a client asks for. */
export interface WantedVariant {
  width?: number | undefined
  height?: number | undefined
  fit?: ImageFit | undefined
  /** The type without `image/`. */
  format?: (typeof IMAGE_FORMATS)[number] | undefined
}

/** The variant for a request; null if the stored picture is the answer: neither size nor type is requested, or it is an SVG. */
export function variantOf(
  hash: string,
  source: ImageType,
  { width, height, fit = 'inside', format }: WantedVariant,
): Variant | null {
  if (source === 'image/svg+xml' || (width === undefined && height === undefined && format === undefined)) return null
  const type: VariantType = format !== undefined ? `image/${format}` : source === 'image/gif' ? 'image/png' : source
  // a missing edge is unlimited if the picture only has to fit inside, and otherwise makes a square
  const other = (edge: number | undefined) => (fit === 'inside' ? IMAGE_SIZE_MAX : (edge ?? IMAGE_SIZE_MAX))
  const box = { width: sizeFor(width ?? other(height)), height: sizeFor(height ?? other(width)) }
  const how = fit === 'inside' ? '' : `-${fit}`
  const name = `${hash}-${box.width}x${box.height}${how}-${VERSION}.${imageExtension(type)}`
  return { hash, source, type, ...box, fit, name }
}

/** The next listed size: there are few, so that nobody can have a picture made in thousands of sizes. */
const sizeFor = (edge: number): number => IMAGE_SIZES.find((size) => size >= edge) ?? IMAGE_SIZE_MAX

/** Whether pictures are made in exactly this size. */
export const isListedSize = (edge: number): boolean => (IMAGE_SIZES as readonly number[]).includes(edge)

/**
 * The type for a client's Accept header (RFC 9110). AVIF and WebP are used only if they are named, because clients that know
 * neither send `image/*`.
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

/** The ETag of a variant, in quotes. */
export const variantTag = ({ name }: Variant): string =>
  `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`
