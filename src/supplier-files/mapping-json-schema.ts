import { NAME_FIELDS, TEXT_FIELDS } from '../../contract/product-fields.ts'
import { GROUP_SOURCES } from './conversion/group-step.ts'
import {
  ATTRIBUTE_SHAPES,
  CONDITION_SHAPES,
  COST_TIER_SHAPES,
  MappingShape,
  SOURCE_SHAPES,
  type Shape,
} from './mapping/mapping-schema.ts'
import { PRESETS } from './presets/presets.ts'

type Schema = Record<string, unknown>

const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` })

/** The schemas of members of sources, conditions and groupings that the shapes leave open. */
const MEMBERS: Readonly<Record<string, Schema>> = {
  join: { type: 'array', items: ref('source'), minItems: 1 },
  first: { type: 'array', items: ref('source'), minItems: 1 },
  sum: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: ref('source'), minItems: 1 },
    ],
  },
  when: ref('conditions'),
  use: ref('source'),
  else: ref('source'),
  of: { type: 'object', additionalProperties: ref('source') },
  where: ref('conditions'),
  offers: ref('conditions'),
  by: ref('sources'),
  alone: ref('conditions'),
  per: ref('source'),
}

/** A shape as plain JSON Schema, whose open members refer to the definitions. */
function closed(shape: Shape): Schema {
  const schema = JSON.parse(JSON.stringify(shape)) as Schema & { properties: Record<string, Schema> }
  for (const name of Object.keys(schema.properties)) {
    const inner = MEMBERS[name]
    if (inner !== undefined) schema.properties[name] = inner
  }
  return schema
}

const anyOf = (shapes: Readonly<Record<string, Shape>>): Schema[] => Object.values(shapes).map(closed)

function costTiers(): Schema[] {
  return Object.values(COST_TIER_SHAPES).map((shape: Shape) => {
    const schema = closed(shape) as Schema & { properties: Record<string, Schema> }
    if (schema.properties['cost'] !== undefined) {
      schema.properties['cost'] = ref('source')
      schema.properties['quantity'] = { anyOf: [{ type: 'integer', minimum: 2 }, ref('source')] }
    }
    return schema
  })
}

/**
 * The JSON Schema of mapping files, for editors; draft 7, which they support best. parseMapping also checks what a schema cannot express: that
 * formulas name their values, that regular expressions are valid, that a locale is given.
 */
export function mappingJsonSchema(): Schema {
  const { required: _fields, ...mapping } = closed(MappingShape) as Schema & { properties: Record<string, Schema> }
  const group = mapping.properties['group'] as Schema & { properties: Record<string, Schema> }
  mapping.properties['group'] = closed(group as unknown as Shape)
  const inGroup = (mapping.properties['group'] as Schema & { properties: Record<string, Schema> }).properties
  inGroup['variants'] = closed(inGroup['variants'] as unknown as Shape)
  mapping.properties['skip'] = { type: 'array', items: ref('condition') }
  mapping.properties['fields'] = ref('fields')
  const one = ['cost', 'currency', 'quantity', ...TEXT_FIELDS, ...NAME_FIELDS, 'dimensions', ...GROUP_SOURCES]
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mapping of a supplier’s file for Shelfwire',
    ...mapping,
    properties: {
      preset: {
        enum: Object.keys(PRESETS),
        description: 'A ready mapping; the other members change what they name.',
      },
      ...mapping.properties,
    },
    anyOf: [
      { required: ['preset'] },
      { required: ['fields'], properties: { fields: { type: 'object', required: ['sku'] } } },
    ],
    definitions: {
      fields: {
        type: 'object',
        properties: {
          sku: ref('source'),
          ...Object.fromEntries(one.map((name) => [name, ref('source')])),
          cost_tiers: { type: 'array', items: { anyOf: costTiers() }, minItems: 1 },
          ean: ref('sources'),
          images: ref('sources'),
          image_alts: ref('sources'),
          attributes: { type: 'array', items: { anyOf: anyOf(ATTRIBUTE_SHAPES) } },
          group_options: { type: 'array', items: { anyOf: anyOf(ATTRIBUTE_SHAPES) } },
        },
        patternProperties: {
          [`^(${TEXT_FIELDS.join('|')})\\..+$`]: ref('source'),
          '^image_alts\\..+$': ref('sources'),
        },
        additionalProperties: false,
      },
      source: { anyOf: [{ type: 'string', minLength: 1 }, ...anyOf(SOURCE_SHAPES)] },
      sources: { anyOf: [ref('source'), { type: 'array', items: ref('source'), minItems: 1 }] },
      condition: { anyOf: anyOf(CONDITION_SHAPES) },
      conditions: { anyOf: [ref('condition'), { type: 'array', items: ref('condition'), minItems: 1 }] },
    },
  }
}
