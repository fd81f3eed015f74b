// What an error of the shop says: that it does not take something, that it is not there any more, or, where it is neither, something else.

/** Why the shop does not take an article: what its services say of their input, and what its database says of its rules. Null: it is something else. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { extensions, code, variables } = error as {
    extensions?: { code?: unknown }
    code?: unknown
    variables?: Record<string, unknown>
  }
  const isOfServices = ['USER_INPUT_ERROR', 'ILLEGAL_OPERATION', 'ENTITY_NOT_FOUND'].includes(String(extensions?.code))
  // PostgreSQL's classes of what is wrong with the data, or breaks a constraint; and of two transactions that wait for each other
  const isOfData = typeof code === 'string' && /^(?:2[23]\w{3}|40001|40P01)$/.test(code)
  return isOfServices || isOfData ? reasonOf(error.message, variables ?? {}) : null
}

/** Vendure says keys of its own texts, which only its server has: `error.name-of-what-is-wrong`, and what they are about beside them. */
function reasonOf(message: string, variables: Readonly<Record<string, unknown>>): string {
  if (!/^error\.[\w-]+$/.test(message)) return message
  const about = Object.values(variables).map(String).join(', ')
  return `${message.slice('error.'.length).replaceAll('-', ' ')}${about === '' ? '' : `: ${about}`}`
}

/** PostgreSQL's classes of lost connections and of a server that ends, and Node's names of connections that are not there. */
const LOST_CODES =
  /^(?:0800\d|57P0[1-5]|ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** What the shop's drivers say without a code. */
const LOST_TEXTS =
  /connection terminated|not queryable|timeout exceeded when trying to connect|driver not connected|after calling end/i

/** Whether the database has gone, or the work was ended: nothing else would go better. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return error.name === 'AbortError' || LOST_CODES.test(String(code)) || LOST_TEXTS.test(error.message)
}
