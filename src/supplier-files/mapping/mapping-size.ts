import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { estimatedSize } from './pattern.ts'

/** Members whose texts are read or applied for every row, such as names of columns. */
const LISTS = new Set([
  'join',
  'first',
  'sum',
  'ean',
  'images',
  'image_alts',
  'by',
  'inherit',
  'collect',
  'optional',
  'replace',
])
/** A source of numbered pairs counts as this many, because it looks up many columns. */
const SOURCES_OF_PAIRS = 100

interface Size {
  sources: number
  patterns: number
}

/** Adds faults for a mapping that is too large to be compiled, before anything is made of it. */
export function checkSize(mapping: unknown, faults: Fault[]): void {
  const size: Size = { sources: 0, patterns: 0 }
  const depth = add(mapping, '', 0, size)
  const { jsonDepthMax, importMappingSourcesMax, importPatternsSizeMax } = LIMITS
  if (depth > jsonDepthMax) faults.push({ name: '', reason: `is nested deeper than ${jsonDepthMax} levels` })
  if (size.sources > importMappingSourcesMax)
    faults.push({ name: '', reason: `has more than ${importMappingSourcesMax} sources, conditions and replacements` })
  if (size.patterns > importPatternsSizeMax)
    faults.push({
      name: '',
      reason: `has regular expressions that are too large together: at most ${importPatternsSizeMax} parts, with repetitions spelled out`,
    })
}

/** Adds the size of a member. @returns the depth of its deepest value */
function add(value: unknown, name: string, depth: number, size: Size): number {
  if (typeof value === 'string') {
    if (name === 'capture' || name === 'matches') size.patterns += estimatedSize(value.slice(0, 1_000))
    return depth
  }
  if (typeof value !== 'object' || value === null || depth > LIMITS.jsonDepthMax) return depth
  if (!Array.isArray(value)) size.sources += 'pairs' in value ? SOURCES_OF_PAIRS : 1
  else if (LISTS.has(name)) size.sources += value.length
  let deepest = depth + 1
  // long tables and lists of values cost nothing per row, because values are looked up in them
  if (name === 'values' || name === 'words' || name === 'in' || name === 'notIn') return deepest
  for (const [key, member] of Object.entries(value))
    deepest = Math.max(deepest, add(member, Array.isArray(value) ? name : key, depth + 1, size))
  return deepest
}
