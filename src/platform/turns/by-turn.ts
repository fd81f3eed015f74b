import { asError } from '../errors.ts'

/**
 * While a statement is running, requests are collected for the next one: batches get larger, and answers no later (measured: a sixth more reads). But
 * no longer than this, because a stuck statement must not delay others.
 */
const PATIENCE_MS = 20

interface Asked<Key, Value> {
  key: Key
  resolve(value: Value): void
  reject(error: Error): void
}

/**
 * Collects the keys that are asked for in one turn of the event loop and reads them together, with one statement per account. Nothing is cached, so
 * every read sees what was committed when it was asked for. If the node of an account is away, reads of other accounts in the same turn do not fail.
 * @param max the most keys in one statement
 * @param read returns a value for each key, in the order of the keys; if it fails, it fails for the keys of this account alone
 */
export function openByTurn<Key, Value>(
  max: number,
  read: (accountId: number, keys: readonly Key[]) => Promise<readonly Value[]>,
): (accountId: number, key: Key) => Promise<Value> {
  let waiting = new Map<number, Asked<Key, Value>[]>()
  let waitingSince = 0
  let inFlight = 0
  let isTimed = false
  // one timer that is never cleared: with one timer per read, the objects that each holds survive the next garbage collections (measured)
  const patience = setTimeout(() => {
    isTimed = false
    if (waiting.size === 0) return
    if (performance.now() - waitingSince >= PATIENCE_MS) sendAll()
    else time()
  }, PATIENCE_MS).unref()
  const time = () => {
    isTimed = true
    patience.refresh()
  }

  const sendAll = () => {
    const batch = waiting
    if (batch.size === 0) return
    waiting = new Map()
    const sent: Promise<void>[] = []
    for (const [accountId, all] of batch)
      for (let at = 0; at < all.length; at += max)
        sent.push(send(accountId, all.length <= max ? all : all.slice(at, at + max)))
    inFlight++
    void Promise.all(sent).then(() => {
      inFlight--
      sendAll()
    })
  }

  const send = async (accountId: number, asked: readonly Asked<Key, Value>[]) => {
    try {
      const values = await read(
        accountId,
        asked.map(({ key }) => key),
      )
      asked.forEach(({ resolve }, i) => resolve(values[i] as Value))
    } catch (error) {
      for (const { reject } of asked) reject(asError(error))
    }
  }

  return (accountId, key) =>
    new Promise((resolve, reject) => {
      const isFirst = waiting.size === 0
      const asked = waiting.get(accountId)
      if (asked === undefined) waiting.set(accountId, [{ key, resolve, reject }])
      else asked.push({ key, resolve, reject })
      if (!isFirst) return
      waitingSince = performance.now()
      // after the poll phase: every request that is in the sockets' buffers has been parsed by then
      if (inFlight === 0) setImmediate(sendAll)
      else if (!isTimed) time()
    })
}
