import { Pool } from 'undici'
import { createToken } from '../src/accounts/create-token.ts'
import { productIdsAfter } from '../src/catalog/products/products.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import type { Environment } from './environment.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'

// Accounts that are written to, and writes over HTTP that wait until they can be read.

/** An account that is written to. */
export interface Owner {
  accountId: number
  token: string
  productIds: number[]
}

/** An account with products that are shelved in its stores, and a token with full access. */
export async function fillShelved(
  { runtime: { db, shelf } }: Environment,
  name: string,
  stores: 1 | 3,
  products: number,
): Promise<FilledAccount & Owner> {
  const account = await createFilledAccount(db, name, stores)
  const { accountId } = account
  await fillProducts(db, account, products)
  const { token } = await inTransaction(db, async (tx) => {
    await sweepAppend(tx, accountId, 'filled')
    return createToken(tx, { accountId, access: 'full' })
  })
  await shelf.drain(accountId)
  return { ...account, token, productIds: await productIdsAfter(db, accountId, 0, products) }
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
