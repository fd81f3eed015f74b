import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ArchiveManifest } from '../../src/archive/manifest.ts'
import { tarEnd, tarHeader, tarPadding } from '../../src/archive/tar.ts'
import { archivedAccount } from './archived-account.ts'

// Archives that are incomplete, that differ from their manifest, or that are made to do harm.

const { commands, at, imported, accountsCount, front } = archivedAccount('archive-refused')
const LONG = { timeout: 240_000 }

const textOf = (name: string, path: string) => readFileSync(join(at(name), path), 'utf8')
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Rewrites a file of an archive, and the manifest to match, so that no checksum shows the change. */
function forge(name: string, path: string, edit: (text: string) => string): void {
  const text = edit(textOf(name, path))
  writeFileSync(join(at(name), path), text)
  manifestOf(name, ({ files }) => {
    const file = files.find((entry) => entry.path === path)!
    Object.assign(file, { bytes: Buffer.byteLength(text), rows: text.split('\n').length - 1, sha256: sha256(text) })
  })
}

function manifestOf(name: string, edit: (manifest: ArchiveManifest) => void): void {
  const manifest = JSON.parse(textOf(name, 'manifest.json')) as ArchiveManifest
  edit(manifest)
  writeFileSync(join(at(name), 'manifest.json'), JSON.stringify(manifest))
}

/** Changes the first row of a file. */
const firstRow = (edit: (row: Record<string, unknown>) => unknown) => (text: string) => {
  const [first = '', ...others] = text.split('\n')
  const row = JSON.parse(first) as Record<string, unknown>
  return [JSON.stringify(edit(row) ?? row), ...others].join('\n')
}

type Attack = [what: string, attack: (name: string) => void, refusal: RegExp]

const DIRECTORIES: Attack[] = [
  [
    'a file that was altered',
    (name) => writeFileSync(join(at(name), 'offer.ndjson'), textOf(name, 'offer.ndjson').replace('A-1', 'A-9')),
    /offer\.ndjson: is altered/,
  ],
  [
    'a file that was cut off',
    (name) => writeFileSync(join(at(name), 'offer.ndjson'), textOf(name, 'offer.ndjson').slice(0, -9)),
    /offer\.ndjson: is cut off/,
  ],
  ['a file that is missing', (name) => rmSync(join(at(name), 'category.ndjson')), /category\.ndjson: is missing/],
  [
    'a file that is missing, also in the manifest',
    (name) => {
      rmSync(join(at(name), 'category.ndjson'))
      manifestOf(name, (manifest) => (manifest.files = manifest.files.filter(({ path }) => path !== 'category.ndjson')))
    },
    /category\.ndjson: is missing/,
  ],
  [
    'a further file',
    (name) => writeFileSync(join(at(name), 'person.ndjson'), ''),
    /person\.ndjson.*no file of an archive/,
  ],
  [
    'a further picture',
    (name) => writeFileSync(join(at(name), `pictures/${'a'.repeat(64)}.png`), ''),
    /pictures: has 2 files/,
  ],
  ['a picture that is missing', (name) => rmSync(join(at(name), `pictures/${front()}.png`)), /is missing/],
  [
    'a picture that was altered',
    (name) => writeFileSync(join(at(name), `pictures/${front()}.png`), 'x'),
    /is altered: its name is not the SHA-256/,
  ],
  ['no manifest', (name) => rmSync(join(at(name), 'manifest.json')), /manifest\.json: is missing/],
  [
    'a link',
    (name) => {
      renameSync(join(at(name), 'offer.ndjson'), at(`${name}-offer`))
      symlinkSync(at(`${name}-offer`), join(at(name), 'offer.ndjson'))
    },
    /offer\.ndjson: is a link/,
  ],
  [
    'a directory in the place of a file',
    (name) => {
      rmSync(join(at(name), 'offer.ndjson'))
      mkdirSync(join(at(name), 'offer.ndjson'))
    },
    /offer\.ndjson: is no file/,
  ],
  ['another format', (name) => manifestOf(name, (manifest) => Object.assign(manifest, { format: 2 })), /format 2/],
  ['a newer release', (name) => manifestOf(name, (manifest) => (manifest.schema = 9_999)), /newer release/],
  [
    'a manifest that leads elsewhere',
    (name) => manifestOf(name, ({ files }) => (files[3]!.path = '../../etc/passwd')),
    /no file of an archive/,
  ],
  [
    'a manifest that states other rows',
    (name) => manifestOf(name, ({ files }) => (files.find(({ path }) => path === 'offer.ndjson')!.rows += 1)),
    /offer\.ndjson: has \d+ rows/,
  ],
  [
    'a manifest that states other pictures',
    (name) => manifestOf(name, ({ pictures }) => (pictures.count = 7)),
    /states other pictures/,
  ],
  [
    'an unknown column',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void (row['secret_door'] = 1)),
      ),
    /store\.ndjson, line 1: has "secret_door"/,
  ],
  [
    'a column that is missing',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void delete row['name']),
      ),
    /store\.ndjson, line 1: has no name/,
  ],
  [
    'a value of another type',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['quantity'] = '3; drop table offer')),
      ),
    /offer\.ndjson, line 1: quantity is no integer/,
  ],
  [
    'a value that the table refuses',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['quantity'] = -1)),
      ),
    /offer\.ndjson, lines 1 to \d+: .*offer_quantity_check/,
  ],
  [
    'a number beyond all bounds',
    (name) =>
      forge(
        name,
        'own_stock.ndjson',
        firstRow((row) => void (row['quantity'] = 2 ** 40)),
      ),
    /own_stock\.ndjson, lines 1 to/,
  ],
  [
    'a row that is no object',
    (name) => forge(name, 'offer.ndjson', (text) => `[]\n${text}`),
    /offer\.ndjson, line 1: is no JSON object/,
  ],
  [
    'a row that is no JSON',
    (name) => forge(name, 'offer.ndjson', (text) => `${text}{"a":\n`),
    /offer\.ndjson, line \d+: is not JSON/,
  ],
  [
    'bytes that are no UTF-8',
    (name) => {
      const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')])
      writeFileSync(join(at(name), 'people.ndjson'), bytes)
      writeFileSync(join(at(name), 'exchange_rate.ndjson'), bytes)
      manifestOf(name, ({ files }) => {
        for (const file of files)
          if (['people.ndjson', 'exchange_rate.ndjson'].includes(file.path))
            Object.assign(file, { bytes: bytes.length, rows: 1, sha256: sha256(bytes) })
      })
    },
    /exchange_rate\.ndjson, line 1: is not JSON in UTF-8/,
  ],
  [
    'a character that is none',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void (row['name'] = 'a\0b')),
      ),
    /store\.ndjson, lines 1 to/,
  ],
  [
    'a row that is there twice',
    (name) => forge(name, 'product.ndjson', (text) => text.slice(0, text.indexOf('\n') + 1) + text),
    /product\.ndjson, line 2: product_id is not behind/,
  ],
  ['two accounts', (name) => forge(name, 'account.ndjson', (text) => text + text), /account\.ndjson: has 2 rows/],
  [
    'offers of another account',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['product_id'] = Number(row['product_id']) + 500)),
      ),
    /offer\.ndjson, line 1: product_id names/,
  ],
  [
    'a rule for a store of another account',
    (name) =>
      forge(
        name,
        'assortment_rule.ndjson',
        firstRow((row) => void (row['store_id'] = 1_000_000)),
      ),
    /assortment_rule\.ndjson, line 1: store_id names/,
  ],
  [
    'a list with a supplier of another account',
    (name) =>
      forge(
        name,
        'source_order.ndjson',
        firstRow((row) => void (row['supplier_ids'] = [1_000_000])),
      ),
    /source_order\.ndjson, line 1: supplier_ids names/,
  ],
  [
    'no default store',
    (name) => forge(name, 'store.ndjson', (text) => text.replaceAll('"is_default":true', '"is_default":false')),
    /lacks a default store/,
  ],
  [
    'an address that is two',
    (name) =>
      forge(
        name,
        'member.ndjson',
        firstRow((row) => void (row['email'] = 'a@example.com,b@example.com')),
      ),
    /member\.ndjson, line 1: email/,
  ],
  [
    'an endpoint that is no address of the web',
    (name) =>
      forge(
        name,
        'endpoint.ndjson',
        firstRow((row) => void (row['url'] = 'file:///etc/passwd')),
      ),
    /endpoint\.ndjson, line 1: url/,
  ],
  [
    'a picture under another address',
    (name) =>
      forge(
        name,
        'image.ndjson',
        firstRow((row) => void (row['url'] = 'https://elsewhere.example/x.png')),
      ),
    /image\.ndjson, line 1: url_hash/,
  ],
  [
    'a row for a table of people',
    (name) => {
      writeFileSync(join(at(name), 'person.ndjson'), '{}\n')
      manifestOf(name, ({ files }) => files.push({ path: 'person.ndjson', rows: 1, bytes: 3, sha256: sha256('{}\n') }))
    },
    /no file of an archive/,
  ],
]

describe('an archive is refused, with what is wrong and where, and nothing is written, that has', () => {
  let count = 0
  beforeAll(async () => {
    count = await accountsCount()
  })

  test.each(DIRECTORIES)('%s', LONG, async (what, attack, refusal) => {
    const name = `attacked-${DIRECTORIES.findIndex(([title]) => title === what)}`
    cpSync(at('whole'), at(name), { recursive: true })
    attack(name)
    await expect(imported(name)).rejects.toThrow(refusal)
    expect(await accountsCount()).toBe(count)
  })

  const whole = () => readFileSync(at('whole.tar'))
  const entry = (path: string, text: string, edit: (header: Buffer) => void = () => {}) => {
    const header = tarHeader(path, text.length, new Date())
    edit(header)
    header.write('        ', 148, 'latin1')
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return Buffer.concat([header, Buffer.from(text), tarPadding(text.length)])
  }
  const behind = (more: Buffer) => Buffer.concat([whole().subarray(0, -1_024), more, tarEnd()])
  const kind =
    (sign: string, target = '') =>
    (header: Buffer) => {
      header.write(sign, 156, 'latin1')
      header.write(target, 157, 'latin1')
    }

  test.each<[string, string, () => Buffer, RegExp]>([
    ['a tar file that ends within a file', 'a.tar', () => whole().subarray(0, 20_000), /cut off/],
    [
      'a tar file that ends between two files',
      'b.tar',
      () => Buffer.concat([whole().subarray(0, 512 + Math.ceil(firstSize() / 512) * 512), tarEnd()]),
      /manifest\.json: is missing/,
    ],
    ['a tar file without its end', 'c.tar', () => whole().subarray(0, -1_024), /cut off/],
    [
      'a tar file with something behind its end',
      'd.tar',
      () => Buffer.concat([whole(), Buffer.from('more')]),
      /behind its end/,
    ],
    ['an altered byte', 'e.tar', () => altered(whole(), 700), /account\.ndjson: is altered/],
    ['an altered header', 'f.tar', () => altered(whole(), 130), /a header does not have the sum/],
    ['a gzip file that was cut off', 'g.tar.gz', () => gzipSync(whole()).subarray(0, -2_000), /cut off/],
    ['a gzip file that was altered', 'h.tar.gz', () => altered(gzipSync(whole()), 4_000), /the archive is refused/],
    ['no gzip file at all', 'i.tar.gz', () => Buffer.from('nothing of the kind'), /altered/],
    ['nothing', 'j.tar', () => Buffer.alloc(0), /cut off/],
    ['a path that leads out', 'k.tar', () => behind(entry('../../../tmp/out', 'x')), /no file of an archive/],
    ['an absolute path', 'l.tar', () => behind(entry('/tmp/out', 'x')), /no file of an archive/],
    [
      'a picture with a path',
      'm.tar',
      () => behind(entry(`pictures/../${'a'.repeat(64)}.png`, 'x')),
      /no file of an archive/,
    ],
    ['a symbolic link', 'n.tar', () => behind(entry('store.ndjson', '', kind('2', '/etc/passwd'))), /no file \(kind/],
    ['a hard link', 'o.tar', () => behind(entry('store.ndjson', '', kind('1', 'manifest.json'))), /no file \(kind/],
    [
      'a file that is a link, too',
      'p.tar',
      () => behind(entry('store.ndjson', '', kind('0', '/etc/passwd'))),
      /is a link/,
    ],
    ['a directory', 'q.tar', () => behind(entry('pictures', '', kind('5'))), /no file \(kind/],
    ['a file twice', 'r.tar', () => behind(entry('manifest.json', '{}')), /twice/],
    ['a file behind the manifest', 's.tar', () => behind(entry('store.ndjson', '{}')), /not in its place/],
    [
      'an extended header',
      't.tar',
      () => Buffer.concat([entry('x', '30 path=../../etc/cron.d/x\n', kind('x')), whole()]),
      /no file \(kind/,
    ],
  ])('%s', LONG, async (_, name, bytes, refusal) => {
    writeFileSync(at(name), bytes())
    await expect(imported(name)).rejects.toThrow(refusal)
    expect(await accountsCount()).toBe(count)
    expect(existsSync('/tmp/out')).toBe(false)
  })

  const firstSize = () => Number.parseInt(whole().toString('latin1', 124, 135), 8)
  const altered = (bytes: Buffer, place: number) => {
    const copy = Buffer.from(bytes)
    copy[place] = copy[place]! ^ 0x15
    return copy
  }

  test('what is no archive, or more than an account may have here', LONG, async () => {
    expect(await commands.refusal(['account', 'import', at('nowhere')])).toContain('there is no file or directory')
    expect(await commands.refusal(['account', 'import', at('front.png')])).toContain('neither a directory nor a file')
    const refusal = await commands.refusal(['account', 'import', at('whole')], { ACCOUNT_LIMITS: 'products=2' })
    expect(refusal).toContain('of products, and an account may have 2 here')
    expect(await accountsCount()).toBe(count)
  })

  test('a file that is changed between the check and the import', LONG, async () => {
    cpSync(at('whole'), at('raced'), { recursive: true })
    let isChanged = false
    await expect(
      imported('raced', null, (_, __, of) => {
        if (of !== 'rows' || isChanged) return
        isChanged = true
        writeFileSync(
          join(at('raced'), 'offer.ndjson'),
          textOf('raced', 'offer.ndjson').replaceAll('"quantity":', '"quantity": '),
        )
      }),
    ).rejects.toThrow('offer.ndjson: was changed while it was imported')
    expect(await accountsCount()).toBe(count)
  })
})
