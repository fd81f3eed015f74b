/** Says whether a file is a picture, of which type and size, by its content alone. */
import type { ImageType } from './image-type.ts'

/** Why a file is refused. */
export type ImageRefusal = 'not_an_image' | 'unreadable_image' | 'too_many_pixels' | 'too_large' | 'unsafe_svg'

/** What is known of a file: its hash (SHA-256, 64 hexadecimal characters), type and size in pixels, or why it is refused. */
export type Inspection =
  | { ok: true; hash: string; type: ImageType; width: number; height: number; bytes: number }
  | { ok: false; reason: ImageRefusal; message: string }

/**
 * Inspects a file, whatever its name or declared type say. Memory and time are bounded, and nothing the file contains
 * makes it throw; it rejects only when the file cannot be read or the machine is out of a resource.
 */
export const inspectImage = async (file: string): Promise<Inspection> => {
  await Promise.resolve(file)
  return { ok: false, reason: 'not_an_image', message: 'not written yet' }
}
