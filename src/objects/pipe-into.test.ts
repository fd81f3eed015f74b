import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pipeInto } from './pipe-into.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shelfwire-pipe-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const fileAt = async (name: string) => (await open(join(directory, name), 'wx')).createWriteStream()

// an unhandled error fails this file, as an uncaught exception
describe('a stream that waits for its target', () => {
  test('is passed on in whole', async () => {
    await pipeInto(Readable.from([Buffer.from('01'), Buffer.from('23')]), () => fileAt('whole'))
    expect(readFileSync(join(directory, 'whole'), 'utf8')).toBe('0123')
  })

  test('and breaks off before that is open is an error of the caller', async () => {
    const stream = new Readable({ read: () => {} })
    const passed = pipeInto(stream, async () => {
      const closed = new Promise((resolve) => void stream.once('close', resolve))
      stream.destroy(new Error('the connection was reset'))
      await closed
      return fileAt('broken')
    })
    await expect(passed).rejects.toThrow('the connection was reset')
  })

  test('is destroyed if the target cannot be opened', async () => {
    const stream = new Readable({ read: () => {} })
    await expect(pipeInto(stream, () => fileAt('no/such/directory'))).rejects.toThrow('ENOENT')
    expect(stream.destroyed).toBe(true)
  })
})
