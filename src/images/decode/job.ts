/** What a decoding process is asked and answers; both are sent as JSON. */
import type { ImageFit } from '../../../contract/routes/images.ts'
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
  /** inside, or left out: it keeps its proportions; pad: it gets a border, so that it has exactly this size; crop: its middle, in these proportions. */
  fit?: ImageFit
  /** Whether a border is white, and not transparent. */
  isBorderWhite?: boolean
}

export type DecodeJob = InspectJob | ConvertJob

export type DecodeAnswer =
  | { ok: true; width: number; height: number }
  | { ok: false; reason: ImageRefusal; message: string }

/** A job as a process gets it. */
export interface SentJob {
  job: DecodeJob
  /** Memory that the whole process may take while it works on it. */
  bytesMax: number
}

/** An answer as a process sends it. */
export type SentAnswer = DecodeAnswer & {
  /** It takes more than `bytesMax`: where there is a process that may take more, that one is asked. */
  isOverMemory?: true
  /** After it the process ends itself. */
  isLast?: true
}
