/** The jobs and answers of a decoding process; both are sent as JSON. */
import type { ImageFit } from '../../../contract/routes/images.ts'
import type { ImageType } from '../inspect/image-type.ts'
import type { ImageRefusal } from '../inspect/image-refusal.ts'

/** Types that a picture can be converted to. */
export type VariantType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif'

/** Decodes a whole file and answers its size in pixels. */
interface InspectJob {
  kind: 'inspect'
  file: string
  type: ImageType
}

/** Makes a smaller picture, or one of another type, from a file, and writes it to `to`. */
export interface ConvertJob {
  kind: 'convert'
  file: string
  to: string
  format: VariantType
  /** The box in pixels that the result must fit into; a picture is never enlarged. */
  width: number
  height: number
  /**
   * `inside` (the default) keeps the proportions; `pad` adds a border, so that the result has exactly this size; `crop` takes the
   * middle, in these proportions.
   */
  fit?: ImageFit
  /** Whether the border is white instead of transparent. */
  isBorderWhite?: boolean
}

export type DecodeJob = InspectJob | ConvertJob

/** The size of the decoded or the converted picture in pixels, or the reason why the file is refused. */
export type DecodeAnswer =
  | { ok: true; width: number; height: number }
  | { ok: false; reason: ImageRefusal; message: string }

/** A job as it is sent to a process. */
export interface SentJob {
  job: DecodeJob
  /** Memory that the whole process may take while it works on it. */
  bytesMax: number
}

/** An answer as a process sends it. */
export type SentAnswer = DecodeAnswer & {
  /** The process used more than `bytesMax`: a process with more memory should decode the picture, if there is one. */
  isOverMemory?: true
  /** The process ends itself after this answer. */
  isLast?: true
}

/** What a process sends: first that its program has started, then its answers. */
export type SentMessage = { isReady: true } | SentAnswer
