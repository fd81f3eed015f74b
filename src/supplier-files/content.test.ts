import { gzipSync } from 'node:zlib'
import { zipSync, strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { summariesOf, readAll } from './fixtures.ts'

const CSV = `sku,title\n${Array.from({ length: 1_000 }, (_, i) => `S${i},Article ${i * 7919}`).join('\n')}\n`
const mapping = { locale: 'en', fields: { sku: 'sku', title: 'title' } }
const plain = await readAll(CSV, mapping)
const zipped = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))

describe('gzip and zip around a file', () => {
  it('are taken off, in any order, cut anywhere', async () => {
    expect(plain).toHaveLength(1_000)
    for (const file of [
      gzipSync(CSV),
      Buffer.concat([gzipSync(CSV.slice(0, 500)), gzipSync(CSV.slice(500))]),
      zipped({ 'catalog.csv': CSV }),
      zipped({ 'a/': '', '__MACOSX/._x': 'x', 'picture.jpg': 'x', 'readme.txt': 'x', 'a/catalog.csv': CSV }),
      gzipSync(zipped({ x: CSV })),
    ]) {
      for (const cuts of [1_000, 1e9]) expect(await readAll(file, mapping, cuts)).toEqual(plain)
    }
    expect(await readAll(gzipSync(CSV), mapping, 1)).toEqual(plain)
  })

  it('of several files is the one that the mapping names', async () => {
    const file = zipped({ 'stock.csv': 'sku,title\nB,y\n', 'x/catalog.csv': 'sku,title\nA,x\n' })
    expect(summariesOf(await readAll(file, { ...mapping, file: 'catalog.csv' }))).toEqual(['2:A'])
    await expect(readAll(file, mapping)).rejects.toThrow(
      /has several files \("stock.csv", "x\/catalog.csv"\): name one with "file"/,
    )
    await expect(readAll(file, { ...mapping, file: 'c.csv' })).rejects.toThrow(/no "c.csv", but only "stock.csv"/)
    await expect(readAll(zipped({ 'a.jpg': 'x' }), mapping)).rejects.toThrow(/no catalog, but only "a.jpg"/)
  })

  it('are read whatever the archive says of names beyond ASCII, and such a file can be named', async () => {
    const marked = zipped({ 'x/M?rz.csv': CSV, 'stock.csv': 'sku,title\nB,y\n' })
    const named = (bytes: string) =>
      Buffer.from(marked.toString('latin1').replaceAll('x/M?rz.csv', `x/M${bytes}rz.csv`), 'latin1')
    // without the flag for UTF-8: in code page 850, as Windows writes it, and in Latin-1
    for (const [bytes, name] of [
      ['\x84', 'März.csv'],
      ['\xe4', 'März.csv'],
    ] as const) {
      expect(await readAll(named(bytes), { ...mapping, file: name })).toEqual(plain)
    }
    // two UTF-8 characters of two bytes: without the flag, as macOS writes it, and with it
    const twoSigns = Buffer.from(
      zipped({ 'x/M??rz.csv': CSV }).toString('latin1').replaceAll('M??rz', 'M\xc3\xa4rz'),
      'latin1',
    )
    for (const file of [twoSigns, zipped({ 'x/März.csv': CSV }), zipped({ 'x/Ma\u0308rz.csv': CSV })]) {
      expect(await readAll(file, { ...mapping, file: 'März.csv' })).toEqual(plain)
      expect(await readAll(file, mapping)).toEqual(plain)
    }
    const beyond = zipped({ 'каталог.csv': CSV })
    expect(await readAll(beyond, { ...mapping, file: 'каталог.csv' })).toEqual(plain)
    await expect(readAll(named('\x84'), mapping)).rejects.toThrow(/has several files \("x\/März.csv", "stock.csv"\)/)
  })

  it('that are cut off or damaged are refused', async () => {
    const gzip = gzipSync(CSV)
    const zip = zipped({ 'catalog.csv': CSV })
    for (const part of [0.3, 0.9]) {
      await expect(readAll(gzip.subarray(0, gzip.length * part), mapping)).rejects.toThrow(/gzip file is cut off/)
      await expect(readAll(zip.subarray(0, zip.length * part), mapping)).rejects.toThrow(
        /zip archive is (cut off|damaged)/,
      )
    }
    const damaged = Buffer.from(gzip)
    damaged.fill(0xff, 1_000, 1_100)
    await expect(readAll(damaged, mapping)).rejects.toThrow(/gzip file is damaged/)
    const broken = Buffer.from(zip)
    broken.fill(0xff, 1_000, 1_100)
    await expect(readAll(broken, mapping)).rejects.toThrow(/zip archive is damaged|is damaged/)
  })

  it('that are protected, or packed by another method, are named', async () => {
    const zip = zipped({ 'catalog.csv': CSV })
    const protectedZip = Buffer.from(zip)
    protectedZip.writeUInt16LE(1, 6)
    await expect(readAll(protectedZip, mapping)).rejects.toThrow(/protected by a password/)
    const other = Buffer.from(zip)
    other.writeUInt16LE(12, 8)
    await expect(readAll(other, mapping)).rejects.toThrow(/packed by a method that is not read \(12\)/)
  })

  it('that expand to far more than their size are refused, without expanding all of it', async () => {
    const bomb = `sku,title\n${'A,x\n'.repeat(400_000)}`
    const limits = { importExpansionFreeBytes: 200_000 }
    await expect(readAll(gzipSync(bomb), mapping, 1_000, limits)).rejects.toThrow(/more than 250 times its size/)
    await expect(readAll(zipped({ a: bomb }), mapping, 1_000, limits)).rejects.toThrow(/more than 250 times its size/)
    await expect(readAll(gzipSync(bomb), mapping, 1_000, { importFileBytesMax: 500_000 })).rejects.toThrow(
      /expands to more than 500000 bytes/,
    )
    let nested: Buffer = gzipSync('sku,title\nA,x\n')
    for (let i = 0; i < 4; i++) nested = gzipSync(nested)
    await expect(readAll(nested, mapping)).rejects.toThrow(/packed more than 3 times/)
  })
})

describe('the format of a file', () => {
  it.each([
    ['sku;title\nA;x\n', ['2:A']],
    ['sku\ttitle\nA\tx\n', ['2:A']],
    ['{"sku":"A"}\n{"sku":"B"}\n', ['1:A', '2:B']],
    ['{"sku":"A"}', ['1:A']],
    ['[{"sku":"A"}]', ['1:A']],
    ['\ufeff <?xml version="1.0"?><list><row><sku>A</sku></row></list>', ['1:A']],
  ])('is detected by its content: %j', async (text, rows) => {
    expect(summariesOf(await readAll(text, mapping))).toEqual(rows)
  })

  it.each([
    ['<!DOCTYPE html><html><body>Login</body></html>', undefined, /HTML page, most likely an error page/],
    ['<html><body>500</body></html>', 'csv', /HTML page/],
    ['<html><body>500</body></html>', 'json', /HTML page/],
    ['<?xml version="1.0"?><list><row/></list>', 'csv', /the file is XML, and not csv: give "format": "xml"/],
    ['<rss xmlns:g="http://base.google.com/ns/1.0"/>', 'csv', /the file is XML, and not csv: give "format": "google"/],
    ['{"sku":"A"}\n{"sku":"B"}\n', 'csv', /the file is JSON, and not csv: give "format": "ndjson"/],
    ['PK\u0005\u0006', 'csv', /binary file/],
  ])('that contradicts the mapping is named: %j', async (text, format, message) => {
    await expect(readAll(text, format === undefined ? mapping : { ...mapping, format })).rejects.toThrow(message)
  })
})
