import { asError } from '../errors.ts'

/**
 * While a statement is running, what is asked is collected for the next one: batches get larger and answers do not get
 * later (measured: a sixth more reads). But no longer than this: a statement that is stuck must not delay the others.
 */
const PATIENCE_MS = 20

interface Asked<Key, Value> {
  key: Key
  resolve(value: Value): void
  reject(error: Error): void
}

/**
 * Reads what is asked for in one turn of the event loop together: one statement per account. Nothing is kept, so every read sees
 * what was committed when it was asked for. An account whose node is away fails none of those that it shares the turn with.
 * @param max how much is asked for at once
 * @param read gives a value for each key, in their order; where it fails, it fails for the keys of this account alone
 */
export function openByTurn<Key, Value>(
  max: number,
  read: (accountId: number, keys: readonly Key[]) => Promise<readonly Value[]>,
): (accountId: number, key: Key) => Promise<Value> {
  let waiting = new Map<number, Asked<Key, Value>[]>()
  let waitingSince = 0
  let inFlight = 0
  let isTimed = false
  // one timer that is never cleared: with one per read, what each holds survives the next garbage collections (measured)
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
      // after the poll phase: by then every request that is in the sockets' buffers has been parsed
      if (inFlight === 0) setImmediate(sendAll)
      else if (!isTimed) time()
    })
}
