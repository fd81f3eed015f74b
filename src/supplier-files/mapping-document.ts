import { isObject } from '../input/is-object.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { fieldColumns } from './mapping/field-columns.ts'
import { canonicalFields, parseMapping, type Mapping, type MappingOrigin } from './mapping/mapping.ts'
import { presetMapping } from './presets/preset-mapping.ts'
import { PRESETS } from './presets/presets.ts'

/**
 * Reads a mapping as users give it: a complete one, or `{"preset": name, ...}` with the differences from a ready one. The size of a given
 * mapping is checked first; a stored one may be from a release without that limit.
 */
export function readMappingDocument(document: unknown, origin: MappingOrigin = 'given'): Mapping {
  if (origin === 'given') requireSmallMapping(document)
  if (typeof document !== 'object' || document === null || !('preset' in document))
    return parseMapping(document, origin)
  const { preset, $schema: _, ...changes } = document as { preset: unknown; $schema?: unknown }
  return presetMapping(typeof preset === 'string' ? preset : JSON.stringify(preset), changes, origin)
}

/** Refuses a mapping that is too large for an import. @throws ShelfwireError `invalid-input` */
export function requireSmallMapping(document: unknown): void {
  const reason = tooLargeMapping(document)
  if (reason !== null)
    throw new ShelfwireError('invalid-input', `the mapping ${reason}`, { faults: [{ name: '', reason }] })
}

/** Why a mapping is too large, to follow "the mapping"; null: it is not. Reads no more of it than is allowed. */
export function tooLargeMapping(document: unknown): string | null {
  const { importMappingCharactersMax, importMappingValuesMax } = LIMITS
  let values = 0
  let characters = 0
  const waiting = [document]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (++values > importMappingValuesMax) return `must have at most ${importMappingValuesMax} values`
    if (typeof value === 'string') characters += value.length + 2
    else if (Array.isArray(value)) {
      characters += 2 + value.length
      // one more than allowed is enough to refuse it
      for (const member of value.slice(0, importMappingValuesMax + 1)) waiting.push(member)
    } else if (isObject(value)) {
      characters += 2
      for (const name in value) {
        characters += name.length + 4
        if (characters > importMappingCharactersMax) break
        waiting.push(value[name])
      }
    } else characters += String(value).length
    if (characters > importMappingCharactersMax) return `must have at most ${importMappingCharactersMax} characters`
  }
  return null
}

/** Returns a function that names the columns of a field in a stored mapping, which was checked when it was given. @see fieldColumns */
export function storedColumns(document: unknown): (field: string) => string[] {
  if (!isObject(document)) return () => []
  const { preset, fields: own } = document
  const base =
    typeof preset === 'string' && Object.hasOwn(PRESETS, preset) ? PRESETS[preset]?.mapping.fields : undefined
  const fields = canonicalFields({ ...base, ...(isObject(own) ? own : {}) })
  return (field) => fieldColumns({ fields }, field)
}
