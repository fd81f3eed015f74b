import { ShelfwireError } from '../../src/platform/errors.ts'
import { detectMapping } from '../../src/supplier-files/proposal/detect.ts'
import { chunked } from '../../src/supplier-files/fixtures.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { previewRows } from '../../src/supplier-files/preview.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import type { FileShape } from './file-shapes.ts'
import { measureBlocks } from './longest-block.ts'

/** The ways in which a supplier's file is read. */
export const MODES = {
  detect: (bytes) => detectMapping(chunked(bytes, 65_536)),
  preview: async (bytes, mapping) => previewRows(chunked(bytes, 65_536), parseMapping(mapping), 100),
  run: async (bytes, mapping) => {
    for await (const _ of readOfferPages(chunked(bytes, 65_536), parseMapping(mapping)));
  },
} satisfies Record<string, (bytes: Buffer, mapping: unknown) => Promise<unknown>>

export interface Trial {
  longestMs: number
  totalMs: number
  /** The reason why the file was refused, or `read`. */
  outcome: string
}

/** Reads a shape and measures it. @throws errors other than refusals */
export async function trial(shape: FileShape, mode: keyof typeof MODES): Promise<Trial> {
  const bytes = shape.bytes()
  let outcome = 'read'
  const { longestMs, totalMs } = await measureBlocks(async () => {
    try {
      await MODES[mode](bytes, shape.mapping)
    } catch (error) {
      if (!(error instanceof ShelfwireError)) throw error
      outcome = error.message
    }
  })
  return { longestMs, totalMs, outcome }
}
