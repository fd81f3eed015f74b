/** What a decoding process is asked and answers; both are sent as JSON. */
import type { ImageType } from '../inspect/image-type.ts'
import type { ImageRefusal } from '../inspect/image-refusal.ts'

/** Types that a picture can be converted to. */
export type VariantType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif'

/** Decode a file in whole and say its size. */
interface InspectJob {
  kind: 'inspect'
  file: string
  type: ImageType
}

/** Make a smaller picture, or one of another type, of a file; `to` is where it is written. */
export interface ConvertJob {
  kind: 'convert'
  file: string
  to: string
  format: VariantType
  /** Pixels that it may be wide and high at most; it is never enlarged. */
  width: number
  height: number
}

export type DecodeJob = InspectJob | ConvertJob

export type DecodeAnswer =
  | { ok: true; width: number; height: number }
  | { ok: false; reason: ImageRefusal; message: string }

/** An answer as a process sends it; after the last one it ends itself. */
export type SentAnswer = DecodeAnswer & { isLast?: true }
