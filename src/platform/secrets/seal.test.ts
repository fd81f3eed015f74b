import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ShelfwireError } from '../errors.ts'
import { openSeal, sealFor } from './seal.ts'

const FIRST = 'the-first-key-of-32-characters-at-least'
const SECOND = 'another-key-of-32-characters-at-least-'

/** Code and message of the error that `work` throws. */
function refusal(work: () => unknown): string {
  try {
    return `passed: ${JSON.stringify(work())}`
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    return `${error.code}: ${error.message}`
  }
}

describe('a seal', () => {
  const seal = openSeal([FIRST])

  test('opens any text to what was sealed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, context) => seal.open(seal.close(text, context), context) === text,
      ),
    )
  })

  test('never seals the same text to the same bytes, and reveals nothing of it', () => {
    const sealed = Array.from({ length: 20 }, () => seal.close('whsec_secret', 'a'))
    expect(new Set(sealed).size).toBe(20)
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/)
      expect(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret')
    }
  })

  test('opens a text only in the context it was sealed in', () => {
    const sealed = seal.close('whsec_secret', 'whsec:1')
    expect(refusal(() => seal.open(sealed, 'whsec:2'))).toMatch(/^settings-invalid: .*altered/)
    expect(refusal(() => seal.open(sealed, ''))).toMatch(/^settings-invalid: .*altered/)
  })

  test('does not open a text that was altered at any byte, or truncated', () => {
    const [version, id, data = ''] = seal.close('whsec_secret', 'a').split('.')
    const bytes = Buffer.from(data, 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const altered = Buffer.from(bytes)
      altered[i] = (altered[i] ?? 0) ^ 1
      expect(
        refusal(() => seal.open(`${version}.${id}.${altered.toString('base64url')}`, 'a')),
        `byte ${i}`,
      ).toMatch(/^settings-invalid: .*altered/)
      expect(
        refusal(() => seal.open(`${version}.${id}.${bytes.subarray(0, i).toString('base64url')}`, 'a')),
        `${i} bytes`,
      ).toMatch(/^settings-invalid: .*altered/)
    }
  })

  test('distinguishes a wrong key from altered text', () => {
    const sealed = openSeal([SECOND]).close('whsec_secret', 'a')
    expect(refusal(() => seal.open(sealed, 'a'))).toMatch(/^settings-invalid: SECRET_KEY is not the one/)
    for (const text of ['', 'whsec_plain', 'v2.00000000.AAAA', 'v1.00000000.AAAA', '..']) {
      expect(refusal(() => seal.open(text, 'a'))).toMatch(/^settings-invalid: /)
    }
  })

  test('puts neither the key nor the text into its errors', () => {
    const sealed = openSeal([SECOND]).close('whsec_secret', 'a')
    for (const said of [
      refusal(() => seal.open(sealed, 'a')),
      refusal(() => seal.open(seal.close('whsec_secret', 'b'), 'a')),
    ]) {
      expect(said).not.toContain('whsec_secret')
      expect(said).not.toContain(FIRST)
    }
  })

  test('after key rotation opens what the old key sealed, and seals with the new one', () => {
    const old = seal.close('whsec_secret', 'a')
    const both = openSeal([SECOND, FIRST])
    expect(both.open(old, 'a')).toBe('whsec_secret')
    const fresh = both.close('whsec_secret', 'a')
    expect(openSeal([SECOND]).open(fresh, 'a')).toBe('whsec_secret')
    expect(refusal(() => seal.open(fresh, 'a'))).toMatch(/SECRET_KEY/)
  })

  test('needs a key', () => {
    expect(() => openSeal([])).toThrow('key')
  })
})

describe('the key of a DATA_DIR', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'shelfwire-seal-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const file = () => join(directory, 'data', 'secret.key')
  const open = (keys: readonly string[] = []) => sealFor(keys, join(directory, 'data'))

  test('is created at first use and not before, readable by its owner only', () => {
    const seal = open()
    expect(readdirSync(directory)).toEqual([])
    const sealed = seal.close('whsec_secret', 'a')
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readFileSync(file(), 'utf8').trim()).toMatch(/^[\w-]{43}$/)
    expect(readdirSync(join(directory, 'data'))).toEqual(['secret.key'])
    expect(open().open(sealed, 'a')).toBe('whsec_secret')
    expect(openSeal([readFileSync(file(), 'utf8').trim()]).open(sealed, 'a')).toBe('whsec_secret')
  })

  test('is not created if SECRET_KEY is set', () => {
    open([FIRST]).close('whsec_secret', 'a')
    expect(readdirSync(directory)).toEqual([])
  })

  test('differs between directories', () => {
    const sealed = open().close('whsec_secret', 'a')
    expect(refusal(() => sealFor([], join(directory, 'other')).open(sealed, 'a'))).toMatch(/SECRET_KEY/)
  })

  test.each(['', '\n', 'too-short\n', 'a'.repeat(31)])(
    'that is too short (%j) is refused with the name of its file, which is left as it is',
    (content) => {
      open().close('x', 'a')
      writeFileSync(file(), content)
      const said = refusal(() => open().close('whsec_secret', 'a'))
      expect(said).toMatch(/^settings-invalid: /)
      expect(said).toContain(file())
      expect(readFileSync(file(), 'utf8')).toBe(content)
    },
  )

  test('that cannot be created is reported by an error', () => {
    writeFileSync(join(directory, 'data'), 'a file')
    expect(refusal(() => open().close('whsec_secret', 'a'))).toMatch(/^settings-invalid: SECRET_KEY is not set/)
  })

  test('is the same for processes that create it at the same time', { timeout: 60_000 }, async () => {
    const ROUNDS = 400
    const WORKERS = 2
    // in each round all workers pass the barrier together, in a directory that has no key yet
    const script = `
      const { parentPort, workerData } = require('node:worker_threads')
      import(workerData.module).then(({ sealFor }) => {
        const gate = new Int32Array(workerData.gate)
        for (let round = 0; round < workerData.rounds; round++) {
          const goal = (round + 1) * workerData.workers
          Atomics.add(gate, 0, 1)
          while (Atomics.load(gate, 0) < goal);
          let said
          try { said = sealFor([], workerData.directory + '/' + round).close('text', 'a').split('.')[1] } catch (error) { said = error.message }
          parentPort.postMessage([round, said])
        }
      })`
    const gate = new SharedArrayBuffer(4)
    const said = Array.from({ length: ROUNDS }, () => new Set<string>())
    const workerData = {
      module: new URL('seal.ts', import.meta.url).href,
      rounds: ROUNDS,
      workers: WORKERS,
      gate,
      directory,
    }
    await Promise.all(
      Array.from(
        { length: WORKERS },
        () =>
          new Promise<void>((resolve, reject) => {
            const worker = new Worker(script, { eval: true, workerData })
            worker.on('message', ([round, text]: [number, string]) => void said[round]?.add(text))
            worker.on('error', reject)
            worker.on('exit', () => resolve())
          }),
      ),
    )
    const torn = said.flatMap((answers, round) =>
      answers.size === 1 ? [] : [`round ${round}: ${[...answers].join(' | ')}`],
    )
    expect(torn.slice(0, 3)).toEqual([])
    expect(said.every((answers) => answers.size === 1)).toBe(true)
  })
})
