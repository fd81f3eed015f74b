import { ShelfwireError } from '../../platform/errors.ts'
import { extendMapping, type Mapping, type MappingOrigin } from '../mapping/mapping.ts'
import { PRESETS } from './presets.ts'

/**
 * Merges the caller's `overrides` (a part of a mapping) into a preset.
 * @throws ShelfwireError `invalid-input` for an unknown preset, for a missing setting that the preset requires, and as
 * parseMapping does
 */
export function presetMapping(name: string, overrides: unknown, origin: MappingOrigin = 'given'): Mapping {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  if (preset === undefined) {
    const known = Object.keys(PRESETS).join(', ')
    throw new ShelfwireError('invalid-input', `there is no preset ${JSON.stringify(name)}: the presets are ${known}`)
  }
  const mapping = extendMapping(preset.mapping, overrides, origin)
  const faults = preset.requires
    .filter((key) => mapping[key] === undefined)
    .map((key) => ({ name: key, reason: `is required by the preset ${name}` }))
  if (faults.length > 0) {
    const list = faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
    throw new ShelfwireError('invalid-input', `the mapping is invalid: ${list}`, { faults })
  }
  return mapping
}
