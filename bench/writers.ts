import { Pool } from 'undici'

// Writes over HTTP that wait until they can be read.

/** An account that is written to. */
export interface Owner {
  accountId: number
  token: string
  productIds: number[]
}

let value = 1_000
/** A number that no earlier write had, so that each write changes something. */
export const nextValue = (): number => ++value

/** Sends a write over HTTP through the pool. @returns the body of the answer */
export async function send(pool: Pool, method: 'PUT' | 'POST', path: string, token: string, body: unknown) {
  const answer = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=25' },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300 || answer.headers['operation-location'] !== undefined)
    throw new Error(`${path} answered ${answer.statusCode}, or did not wait: ${text.slice(0, 300)}`)
  return text
}

/** Sets own stock of single products, each writer in turn for every account. @param urls of services, to which the writers are distributed. @returns writes per second */
export async function writeStocks(
  urls: readonly string[],
  owners: readonly Owner[],
  writers: number,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const pool = new Pool(urls[writer % urls.length] ?? '', { connections: 1 })
      for (let i = writer; performance.now() < end; i += writers) {
        const { token, productIds } = owners[i % owners.length] ?? { token: '', productIds: [] }
        const id = productIds[(i * 31) % productIds.length] ?? 0
        await send(pool, 'PUT', `/v1/account/products/${id}/stock`, token, { quantity: nextValue() })
        done++
      }
      await pool.close()
    }),
  )
  return done / seconds
}
