// Requests of the admin page to the shop.

declare const __BACKEND_URL__: string | undefined

/** Sends a request as the user who is signed in to the admin. @throws Error with the message of the shop's answer */
export async function ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  // Medusa replaces the name when it builds the admin; the value ends with / where it has a path
  const base = (typeof __BACKEND_URL__ === 'string' ? __BACKEND_URL__ : '').replace(/\/$/, '')
  const response = await fetch(`${base}/admin/shelfwire${path}`, {
    method,
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as T & { message?: string }
  if (!response.ok) throw new Error(answer.message ?? `the shop answers ${response.status}`)
  return answer
}
