// Classifies errors of the shop: a refusal of the data, a lost connection, or anything else.

/** The reason why the shop refuses an article, from an error of its services about their input or of its database about a constraint. Null: another error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { extensions, code, variables } = error as {
    extensions?: { code?: unknown }
    code?: unknown
    variables?: Record<string, unknown>
  }
  const isOfServices = ['USER_INPUT_ERROR', 'ILLEGAL_OPERATION', 'ENTITY_NOT_FOUND'].includes(String(extensions?.code))
  // PostgreSQL's classes for invalid data and violated constraints, and the codes for serialization failures and deadlocks
  const isOfData = typeof code === 'string' && /^(?:2[23]\w{3}|40001|40P01)$/.test(code)
  return isOfServices || isOfData ? reasonOf(error.message, variables ?? {}) : null
}

/** Vendure's messages are keys of texts that only its server has, such as `error.entity-not-found`, with variables beside them. Makes a readable text. */
function reasonOf(message: string, variables: Readonly<Record<string, unknown>>): string {
  if (!/^error\.[\w-]+$/.test(message)) return message
  const about = Object.values(variables).map(String).join(', ')
  return `${message.slice('error.'.length).replaceAll('-', ' ')}${about === '' ? '' : `: ${about}`}`
}

/** PostgreSQL's codes for lost connections and for a server that shuts down, and Node's codes for failed connections. */
const LOST_CODES =
  /^(?:0800\d|57P0[1-5]|ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Messages of the shop's database drivers that have no code. */
const LOST_TEXTS =
  /connection terminated|not queryable|timeout exceeded when trying to connect|driver not connected|after calling end/i

/** Whether the database connection is lost or the work was aborted: then every other attempt would fail, too. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return error.name === 'AbortError' || LOST_CODES.test(String(code)) || LOST_TEXTS.test(error.message)
}
