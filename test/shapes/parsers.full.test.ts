import { describe, expect, it } from 'vitest'
import { everyNth } from '../harness/gate.ts'
import { FILE_SHAPES, MAPPING_SHAPES } from './file-shapes.ts'
import { MODES, trial } from './trial.ts'

// Work that blocks the event loop delays every other request: no file or mapping may do that for long, whether refused or read.

/**
 * Processor time between two turns. The promise is 100 ms on an idle machine; a gate runs two files at a time on shared
 * processors, so it only detects blocks of more than this.
 */
const LONGEST_MS = 500
/** The total processor time, for files of some megabytes. */
const TOTAL_MS = 60_000

// all of them take a quarter of an hour: a gate tries every twelfth
describe.each(everyNth([...FILE_SHAPES, ...MAPPING_SHAPES], 12).map((shape) => [shape.name, shape] as const))(
  '%s',
  (_name, shape) => {
    const modes = (Object.keys(MODES) as (keyof typeof MODES)[]).filter(
      (mode) => mode !== 'detect' || FILE_SHAPES.includes(shape),
    )
    it.each(modes)('gives others their turn: %s', { timeout: 300_000, retry: 2 }, async (mode) => {
      let found = await trial(shape, mode)
      // tried again, because the first time includes compilation and garbage collection
      if (found.longestMs > LONGEST_MS) found = await trial(shape, mode)
      expect(found.longestMs, found.outcome).toBeLessThan(LONGEST_MS)
      expect(found.totalMs, found.outcome).toBeLessThan(TOTAL_MS)
    })
  },
)
