import { parseMapping, type Mapping, type MappingOrigin } from './mapping/mapping.ts'
import { presetMapping } from './presets/preset-mapping.ts'

/**
 * Reads a mapping as users give it: a mapping of its own, or `{"preset": name, ...}` with what differs from a ready one.
 * @throws ShelfwireError `invalid-input` with all faults, named by dotted paths
 */
export function readMappingDocument(document: unknown, origin: MappingOrigin = 'given'): Mapping {
  if (typeof document !== 'object' || document === null || !('preset' in document))
    return parseMapping(document, origin)
  const { preset, $schema: _, ...changes } = document as { preset: unknown; $schema?: unknown }
  return presetMapping(typeof preset === 'string' ? preset : JSON.stringify(preset), changes, origin)
}
