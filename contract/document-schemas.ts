// JSON Schemas of the document, derived from the schemas of the routes.

/** Members that only our readers of parameters and bodies use; the document leaves them out. */
const INTERNAL = new Set(['$id', 'x-read', 'x-bounds', 'x-also', 'x-always', 'x-must'])

/** The schema of a request, in which undeclared members are refused. References are rewritten to components. */
export function requestSchema(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), function (this: Record<string, unknown>, key, value: unknown) {
    if (INTERNAL.has(key)) return undefined
    if (key === 'x-format') {
      this['format'] = value
      return undefined
    }
    return key === '$ref' && typeof value === 'string' && !value.startsWith('#')
      ? `#/components/schemas/${value}`
      : value
  })
}

/**
 * The same schema for an answer, without `additionalProperties: false`, because later releases add members. Schemas
 * that requests and answers share are declared once, closed.
 */
export function answerSchema(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(requestSchema(schema)), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  )
}
