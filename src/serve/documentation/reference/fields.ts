import { escapeHtml } from '../../../platform/text/escape-html.ts'
import { renderLine } from '../markdown.ts'
import type { Schema } from './operations.ts'

// A schema as a nested list of its members.

/** Deeper members are not shown, because schemas may contain themselves. */
const DEPTH_MAX = 6

type Named = Readonly<Record<string, Schema>>

interface Resolved {
  schema: Schema
  /** Names of the schemas that contain this one. */
  within: readonly string[]
  isNullable: boolean
}

/** Follows references, and removes null from the alternatives. */
function resolve(schema: Schema, named: Named, within: readonly string[]): Resolved {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const target = named[name]
    if (target === undefined || within.includes(name))
      return { schema: { type: name, description: schema['description'] }, within, isNullable: false }
    const found = resolve(target, named, [...within, name])
    return schema['description'] === undefined
      ? found
      : { ...found, schema: { ...found.schema, description: schema['description'] } }
  }
  const alternatives = alternativesOf(schema)
  const others = alternatives.filter((each) => each['type'] !== 'null')
  const [only] = others
  if (alternatives.length === 0 || others.length > 1 || only === undefined)
    return { schema, within, isNullable: others.length < alternatives.length }
  const { anyOf: _, ...around } = schema
  const found = resolve({ ...only, ...around }, named, within)
  return { ...found, isNullable: found.isNullable || others.length < alternatives.length }
}

const alternativesOf = (schema: Schema): readonly Schema[] => {
  const found = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(found) ? (found as Schema[]) : []
}

const propertiesOf = (schema: Schema) => Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)

/** The constants that the schema allows; null: it is no list of constants. */
function constantsOf(schema: Schema): readonly unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum']
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  const alternatives = alternativesOf(schema).filter((each) => each['type'] !== 'null')
  return alternatives.length > 0 && alternatives.every((each) => Object.hasOwn(each, 'const'))
    ? alternatives.map((each) => each['const'])
    : null
}

/** The type for readers: "array of string", "integer or null". */
export function typeOf(schema: Schema, named: Named, within: readonly string[] = []): string {
  const found = resolve(schema, named, within)
  const known = ownTypeOf(found.schema, named, found.within)
  return found.isNullable ? `${known} or null` : known
}

function ownTypeOf(schema: Schema, named: Named, within: readonly string[]): string {
  if (schema['type'] === 'array') return `array of ${typeOf((schema['items'] ?? {}) as Schema, named, within)}`
  if (schema['patternProperties'] !== undefined && schema['properties'] === undefined) return 'object by key'
  const format = schema['format']
  if (typeof schema['type'] === 'string')
    return typeof format === 'string' && format !== 'int64' ? `${schema['type']} (${format})` : schema['type']
  const alternatives = alternativesOf(schema).filter((each) => each['type'] !== 'null')
  const types = new Set(alternatives.map((each) => typeOf(each, named, within)))
  return types.size === 0 ? 'any' : [...types].join(' or ')
}

const code = (value: unknown) => `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`

/** The limits of a value besides its type, as HTML. */
export function boundsOf(schema: Schema, named: Named): string {
  const { schema: own } = resolve(schema, named, [])
  const item = own['type'] === 'array' ? resolve((own['items'] ?? {}) as Schema, named, []).schema : own
  const constants = constantsOf(item)
  const limits: string[] = []
  if (constants !== null) limits.push(`${constants.length === 1 ? '' : 'One of '}${constants.map(code).join(', ')}`)
  const [low, high] = [own['minimum'], own['maximum']]
  if (typeof low === 'number' && typeof high === 'number' && high < 1e15) limits.push(`${low} to ${high}`)
  else if (typeof low === 'number' && low !== 0 && low !== 1) limits.push(`At least ${low}`)
  if (typeof own['maxLength'] === 'number') limits.push(`At most ${own['maxLength']} characters`)
  if (typeof own['maxItems'] === 'number') limits.push(`At most ${own['maxItems']} entries`)
  if (own['default'] !== undefined) limits.push(`Default ${code(own['default'])}`)
  if (own['readOnly'] === true) limits.push('Only in answers')
  const examples = own['examples']
  if (Array.isArray(examples) && constants === null) limits.push(`Such as ${examples.slice(0, 2).map(code).join(', ')}`)
  return limits.join('. ')
}

/** One parameter or member, as HTML. */
export function fieldLine(name: string, type: string, isRequired: boolean, schema: Schema, named: Named): string {
  const { description } = resolve(schema, named, []).schema
  const bounds = boundsOf(schema, named)
  return `<p class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span>${
    isRequired ? ' <span class="required">required</span>' : ''
  }</p>${typeof description === 'string' && description !== '' ? `<p>${renderLine(description)}</p>` : ''}${
    bounds === '' ? '' : `<p class="bounds">${bounds}</p>`
  }`
}

/** The members of an object, or of the objects of a list, as HTML; empty where there are none. */
export function fieldsOf(schema: Schema, named: Named, within: readonly string[] = [], depth = 0): string {
  const found = resolve(schema, named, within)
  const own = found.schema
  if (depth > DEPTH_MAX) return ''
  if (own['type'] === 'array') return fieldsOf((own['items'] ?? {}) as Schema, named, found.within, depth)
  const required = Array.isArray(own['required']) ? (own['required'] as string[]) : []
  const members = propertiesOf(own).map(([name, member]) => {
    const below = fieldsOf(member, named, found.within, depth + 1)
    const line = fieldLine(name, typeOf(member, named, found.within), required.includes(name), member, named)
    return `<li>${line}${below === '' ? '' : nested(below, name, depth)}</li>`
  })
  if (members.length > 0) return `<ul class="fields">${members.join('')}</ul>`
  const byKey = Object.values((own['patternProperties'] ?? {}) as Record<string, Schema>)[0]
  if (byKey !== undefined) return fieldsOf(byKey, named, found.within, depth)
  const alternatives = alternativesOf(own)
    .map((each) => [each, fieldsOf(each, named, found.within, depth + 1)] as const)
    .filter(([, html]) => html !== '')
  return alternatives
    .map(([each, html], i) => {
      const { description } = resolve(each, named, found.within).schema
      const title = typeof description === 'string' ? renderLine(description) : nameOf(each, named, found.within)
      return `<p class="either">${i === 0 ? 'Either' : 'Or'} ${title}</p>${html}`
    })
    .join('')
}

/** Names an alternative by its members that can have only one value, which distinguish it from the others. */
function nameOf(schema: Schema, named: Named, within: readonly string[]): string {
  const own = resolve(schema, named, within).schema
  const constantMembers = propertiesOf(own).flatMap(([name, member]) => {
    const constants = constantsOf(member)
    return constants?.length === 1 ? [`${code(name)} ${code(constants[0])}`] : []
  })
  return constantMembers.length > 0
    ? `with ${constantMembers.join(', ')}`
    : `with ${propertiesOf(own)
        .slice(0, 4)
        .map(([name]) => code(name))
        .join(', ')}`
}

const nested = (html: string, name: string, depth: number) =>
  // open: the members of `data` are the ones that readers look for
  `<details${depth === 0 && name === 'data' ? ' open' : ''}><summary>Members of <code>${escapeHtml(name)}</code></summary>${html}</details>`
