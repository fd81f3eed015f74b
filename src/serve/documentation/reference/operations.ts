import { openApiDocument } from '../../../../contract/openapi.ts'
import type { Access } from '../../../../contract/route.ts'
import { ROUTES } from '../../../../contract/routes.ts'
import { TAGS } from '../../../../contract/tags.ts'
import { must } from '../../../platform/must.ts'
import { EXAMPLES, type Example } from '../../../../contract/examples.ts'

// The operations of the API, taken from the OpenAPI document, so that the reference says the same as what programs read.

/** A JSON schema of the document. */
export type Schema = Readonly<Record<string, unknown>>
/** Media type -> schema, and an example where one was recorded. */
export type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Operation {
  id: string
  tag: string
  /** In upper case. */
  method: string
  /** Path below the service's address, with parameters in braces. */
  path: string
  access: Access
  summary: string
  description: string
  parameters: readonly Parameter[]
  /** Null: the request has no body. */
  body: Content | null
  /** Successful answers by status. */
  answers: readonly { status: string; description: string; content: Content }[]
  problems: readonly string[]
  example: Example | undefined
}

export interface Reference {
  /** Base URL of the service. */
  url: string
  version: string
  groups: readonly { tag: string; title: string; description: string; operations: readonly Operation[] }[]
  byId: ReadonlyMap<string, Operation>
  /** The schemas that `$ref` names. */
  schemas: Readonly<Record<string, Schema>>
}

interface Described {
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** @param document an openApiDocument for the same URL and version. */
export function referenceOf(
  url: string,
  version: string,
  document = openApiDocument(url, version) as unknown,
): Reference {
  const { paths, components } = document as Document
  const operations = ROUTES.filter(({ isDocumented }) => isDocumented).map((route): Operation => {
    const { id, tag, method, path, access, summary, description, problems } = route
    const { parameters, requestBody, responses } = must(paths[path.replace(/^\/v1(?=\/)/, '')]?.[method])
    const answers = Object.entries(responses).flatMap(([status, answer]) =>
      // any other response is a problem, which the page lists by its code, or has no body
      Object.hasOwn(route.answers, status)
        ? [{ status, description: answer.description, content: answer.content ?? {} }]
        : [],
    )
    return {
      id,
      tag,
      path,
      access,
      summary,
      description,
      parameters,
      answers,
      problems,
      method: method.toUpperCase(),
      body: requestBody?.content ?? null,
      example: EXAMPLES[id],
    }
  })
  const groups = TAGS.map(([tag, description]) => ({
    tag,
    description,
    title: titleOf(tag),
    operations: operations.filter((operation) => operation.tag === tag),
  })).filter((group) => group.operations.length > 0)
  return {
    url,
    version,
    groups,
    schemas: components.schemas,
    byId: new Map(operations.map((operation) => [operation.id, operation])),
  }
}

/** "price-lists" becomes "Price lists". */
function titleOf(tag: string): string {
  const words = tag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
