import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { likelyEncoding, statedEncoding } from './encoding.ts'

const KB_64 = 65_536
const filled = (...bytes: number[]) => Buffer.alloc(KB_64, Buffer.from(bytes))
const spread = (or: number) =>
  Buffer.from(Array.from({ length: KB_64 }, (_, i) => or | ((i * 245_489 + ((i * i) >> 3)) & 0xff)))

describe('the time that an encoding takes to be found', () => {
  test.for<[string, Buffer]>([
    ['letters of no language', filled(0xe4, 0xf6, 0xfc, 0x20, 0xdf, 0x3b)],
    ['one letter', filled(0xe4)],
    ['another alphabet', filled(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a)],
    ['bytes of all kinds', spread(0)],
    ['bytes that are not ASCII', spread(0x80)],
    ['escapes', filled(0x1b, 0x24, 0x42, 0xe4)],
    ['few letters that are not ASCII', Buffer.from('Artikel;Größe;Preis\n'.repeat(4_000), 'latin1').subarray(0, KB_64)],
  ])('%s: less than 100 ms of the processor, whatever the size', ([, sample]) => {
    likelyEncoding(sample)
    let least = Infinity
    for (let i = 0; i < 4; i++) {
      const before = process.cpuUsage()
      likelyEncoding(sample)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1_000)
    }
    expect(least).toBeLessThan(100)
  })

  test('is none of the process that answers: only reading processes, the demo and a command look into files', () => {
    const source = join(import.meta.dirname, '..')
    const readers = /\.\.\/supplier-files\/(?:text|content|detect|preview|read-offers|encoding)\.ts'/
    const importing = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('supplier-files/'))
      .filter((file) =>
        readFileSync(join(source, file), 'utf8')
          .split('\n')
          .some((line) => readers.test(line) && /^(?:import (?!type\b)|\} from)/.test(line)),
      )
    expect(importing.sort()).toEqual(['commands/imports/import-preview.ts', 'demo/seed.ts', 'file-readers/process.ts'])
  })
})

test('what a text in a document says of another one is not its encoding', () => {
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'
  expect(statedEncoding(Buffer.from(`<feed><text><![CDATA[${meta}]]></text></feed>`))).toBeUndefined()
  expect(statedEncoding(Buffer.from(`<!DOCTYPE feed><feed><text><![CDATA[${meta}]]></text></feed>`))).toBeUndefined()
  for (const page of [`<html><head>${meta}`, `${meta}<table>`, `<!DOCTYPE html>\n<html>${meta}`])
    expect(statedEncoding(Buffer.from(page))).toEqual({ encoding: 'windows-1252', isCertain: true })
})
