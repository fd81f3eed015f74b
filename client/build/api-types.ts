import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../../contract/openapi.ts'

// Writes client/src/api.ts: the types of every read and write that the client can send as JSON, made from the OpenAPI document. That file is not in git,
// so that a change of the contract is made in one place; only types are imported from it, so nothing needs it at run time. `npm run client-types` writes
// it, and so do the gates, the other type checks and the packing of the client. docs/decisions/219-what-follows-is-not-kept.md says why.

interface Schema {
  description?: string
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const JSON_TYPE = /^application\/(?:merge-patch\+)?json$/

/** The text of client/src/api.ts. */
function apiTypes(): string {
  const { paths, components } = openApiDocument('', '') as unknown as {
    paths: Record<string, Partial<Record<(typeof METHODS)[number], Operation>> & { servers?: unknown }>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.entries(paths).flatMap(([path, one]) =>
    // routes outside /v1, and those of the service's operator: tokens of accounts do not give access to them
    one.servers !== undefined || path.startsWith('/operator/')
      ? []
      : METHODS.flatMap((method) => operationType(method, path, one[method])),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${describedType(schema)}`)
  return [
    '// Written by client/build/api-types.ts from the contract; not in git.',
    '',
    '/** Every read and write that is sent and answered as JSON, by its method and path. */',
    `export interface Api {\n${operations.join('\n')}\n}`,
    '',
    '/** The named schemas of the contract. */',
    `export interface Schemas {\n${schemas.join('\n')}\n}`,
    '',
  ].join('\n')
}

function operationType(method: string, path: string, operation: Operation | undefined): string[] {
  if (operation === undefined) return []
  const { parameters = [], requestBody, responses } = operation
  const body = requestBody === undefined ? undefined : jsonOf(requestBody.content)
  // the body is a file or a picture
  if (requestBody !== undefined && body === undefined) return []
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answers = good.flatMap(([, { content }]) => (content === undefined ? [] : [jsonOf(content)]))
  if (answers.includes(undefined)) return []
  const named = (place: string) => parameters.filter((one) => one.in === place)
  const members = [
    ...section('params', named('path')),
    ...section('query', named('query')),
    ...(body === undefined ? [] : [`body${requestBody?.required === true ? '' : '?'}: ${typeOf(body)}`]),
    `answer: ${union(answers.map((schema) => typeOf(schema ?? {})))}`,
  ]
  return [`  '${method.toUpperCase()} ${path}': { ${members.join('; ')} }`]
}

const jsonOf = (content: Content): Schema | undefined =>
  Object.entries(content).find(([type]) => JSON_TYPE.test(type))?.[1].schema

function section(name: string, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return []
  const isOptional = parameters.every(({ required }) => required !== true)
  const members = parameters.map(
    ({ name: own, required, schema }) => `${key(own)}${required === true ? '' : '?'}: ${typeOf(schema)}`,
  )
  return [`${name}${isOptional ? '?' : ''}: { ${members.join('; ')} }`]
}

const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]) => (types.length === 0 ? 'undefined' : [...new Set(types)].join(' | '))

/** A schema as a TypeScript type. @throws Error for a schema type that is not handled here */
function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items } = schema
  if ($ref !== undefined) return `Schemas['${$ref.slice('#/components/schemas/'.length)}']`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (anyOf !== undefined) return union(anyOf.map(typeOf))
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })))
  switch (type) {
    case undefined:
      return 'unknown'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${typeOf(items ?? {})})[]`
    case 'object':
      return objectType(schema)
    default:
      throw new Error(`a schema of the type ${type}`)
  }
}

/** A named schema as a type. An object has each member on its own line, below the description of the contract. */
function describedType(schema: Schema): string {
  const { properties = {}, required = [] } = schema
  if (schema.type !== 'object' || Object.keys(properties).length === 0) return typeOf(schema)
  const members = Object.entries(properties).map(([name, one]) => {
    // a nullable member has its description in one of the alternatives
    const said = one.description ?? one.anyOf?.find(({ description }) => description !== undefined)?.description
    const comment = said === undefined ? '' : `    /** ${said.replaceAll('*/', '*\\/')} */\n`
    return `${comment}    ${member(name, one, required)}\n`
  })
  return `{\n${members.join('')}  }`
}

const member = (name: string, schema: Schema, required: readonly string[]) =>
  `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`

function objectType({ properties, required = [], patternProperties, additionalProperties }: Schema): string {
  const others = [
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  const members = Object.entries(properties ?? {}).map(([name, one]) => member(name, one, required))
  if (members.length > 0) return `{ ${members.join('; ')} }`
  return `{ [name: string]: ${others.length === 0 ? 'unknown' : union(others.map(typeOf))} }`
}

const file = fileURLToPath(new URL('../src/api.ts', import.meta.url))
const text = apiTypes()
// replaced atomically, and only where it differs: another process may be reading it
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
