// JSON Schema as the document has it, from the schemas of the routes.

/** Members that only our readers of parameters and bodies use; the document leaves them out. */
const INTERNAL = new Set(['$id', 'x-read', 'x-bounds', 'x-also', 'x-always', 'x-must'])

/** A schema of a request: what it does not declare is refused. References lead into components. */
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
 * The same schema of an answer: open, because later releases add members. What requests and answers have in common is
 * declared once, closed.
 */
export function answerSchema(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(requestSchema(schema)), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  )
}
