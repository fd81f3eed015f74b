import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { silentLog } from '../platform/log.ts'
import { parseMapping } from '../supplier-files/mapping/mapping.ts'
import { openFileReaders } from './readers.ts'

const MAPPING = parseMapping({ format: 'csv', fields: { sku: { column: 'sku' }, cost: { column: 'cost' } } })

test('a process that was given to an import that had been canceled is not ended for idleness while it reads the next file', async () => {
  const { fileReaderIdleMs } = LIMITS
  Object.assign(LIMITS, { fileReaderIdleMs: 400 })
  const readers = openFileReaders(silentLog)
  async function* file(pauseMs: number) {
    yield Buffer.from('sku,cost\nA,1\n')
    await sleep(pauseMs)
    yield Buffer.from('B,2\n')
  }
  const rows = async (pauseMs: number, signal?: AbortSignal) => {
    let count = 0
    for await (const page of readers.pages(file(pauseMs), MAPPING, signal === undefined ? {} : { signal }))
      count += page.length
    return count
  }
  try {
    expect(await rows(0)).toBe(2)
    await expect(rows(0, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled')
    expect(await rows(1_000)).toBe(2)
    expect(readers.count).toBe(1)
  } finally {
    Object.assign(LIMITS, { fileReaderIdleMs })
    await readers.close()
  }
})
