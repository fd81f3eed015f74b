import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMirror } from '../../client/src/command/opened-mirror.ts'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { compare } from '../../client/src/verify/verify.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { seedFor } from '../harness/interleave.ts'
import { offer } from '../harness/account.ts'
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { objects, runClient, startClient } from './command-line.ts'

// `shelfwire-client verify` and `diff` against the service.

const SKUS = Array.from({ length: 700 }, (_, i) => `A${String(i).padStart(3, '0')}`)
/** Control characters that a terminal would execute, in a very long text. */
const HOSTILE = `\u001b[2J\u009b31m\u202e${'long '.repeat(4_000)}`
const { service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: SKUS.map((sku, i) => offer(sku, { texts: { en: { title: i === 3 ? HOSTILE : `Article ${sku}` } } })),
})
const root = directoryOfFile('verify-command')
const token = () => tokenFor(service.runtime, account.accountId, 'connector')
const env = async () => ({ SHELFWIRE_URL: service.url, SHELFWIRE_TOKEN: await token() })

async function write(sku: string, cost: string | null): Promise<void> {
  const { status, text } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: cost === null ? 'DELETE' : 'PUT',
    ...(cost === null ? {} : { body: JSON.stringify({ cost, quantity: 5 }) }),
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
  })
  // not 202, which means that the change is not in the feed yet
  expect([200, 201, 204], `${status} ${text}`).toContain(status)
}

const mirrored = async (place: string[]) => {
  expect(await runClient(['mirror', '--once', ...place], await env())).toMatchObject({ code: 0, err: '' })
}
/** The result of `verify --json` for one store. */
const verified = async (place: string[], store: string, ...more: string[]) => {
  const { code, out } = await runClient(['verify', '--json', '--store', store, ...place, ...more], await env())
  return { code, said: objects(out) }
}

test('a mirror is equal, also when the service has changed since and while it is compared', async () => {
  const dir = join(root, 'equal')
  await mirrored(['--dir', dir])
  expect((await verified(['--dir', dir], 'main')).said).toEqual([
    expect.objectContaining({ event: 'equal', products: SKUS.length, changed_since: 0 }),
  ])
  await write(SKUS[10]!, '77')
  await write('NEW', '5')
  await write(SKUS[11]!, null)
  const { code, said } = await verified(['--dir', dir], 'main')
  expect({ code, said }).toEqual({ code: 0, said: [expect.objectContaining({ event: 'equal', changed_since: 3 })] })
  // a product that changes after the feed was read and before the digests are
  const opened = await openMirror({ dir }, 'read')
  let written = 0
  const shelf = new Shelfwire({
    url: service.url,
    token: await token(),
    fetch: async (url, init) => {
      if (typeof url === 'string' && url.includes('/digest?') && written++ === 0) await write(SKUS[12]!, '78')
      return fetch(url, init)
    },
  })
  const signal = new AbortController().signal
  const comparison = await compare({
    shelf,
    target: opened.target,
    store: 'pl',
    detailed: 9,
    onProgress: () => {},
    signal,
  })
  expect(written).toBe(1)
  expect(comparison).toMatchObject({ findings: [], damages: [], changed: 4 })
  await opened.close()
})

test('the account is told what was found, unless it is not to be', async () => {
  const place = ['--dir', join(root, 'a shop')]
  await mirrored(place)
  const told = async () => {
    const { data } = (await http('/v1/digest/checks')).body
    return (data as { store: string; mirror: string; differing: number }[])
      .filter(({ mirror }) => /shop/.test(mirror))
      .map(({ store, mirror, differing }) => `${store} ${mirror}: ${differing}`)
  }
  expect((await runClient(['verify', '--no-report', ...place], await env())).code).toBe(0)
  expect((await runClient(['diff', ...place], await env())).code).toBe(0)
  expect(await told()).toEqual([])
  expect((await runClient(['verify', ...place], await env())).code).toBe(0)
  expect(await told()).toEqual(['main a shop: 0', 'de a shop: 0', 'pl a shop: 0'])
  await verified(place, 'pl', '--name', 'Sklep shop')
  expect(await told()).toEqual(['main a shop: 0', 'de a shop: 0', 'pl Sklep shop: 0', 'pl a shop: 0'])
  expect((await runClient(['verify', '--name', ' x', ...place], await env())).code).toBe(2)
})

test('beside a mirror that follows and somebody who writes, no difference is found that is none', async () => {
  const random = prng(seedFor('verify-command'))
  for (const place of [
    ['--dir', join(root, 'beside')],
    ['--sqlite', join(root, 'beside.db')],
  ]) {
    const running = startClient(['mirror', ...place], await env())
    await expect.poll(() => running.out().match(/up to date/g), { timeout: 10_000 }).toHaveLength(3)
    const ending = new AbortController()
    const writing = (async () => {
      while (!ending.signal.aborted) {
        // not the first ones, whose texts other tests need
        const sku = SKUS[100 + Math.floor(random() * (SKUS.length - 100))]!
        await http(`/v1/account/suppliers/north/offers/${sku}`, {
          method: 'PUT',
          body: JSON.stringify({ cost: String(1 + Math.floor(random() * 500)), quantity: 5 }),
          headers: { 'content-type': 'application/json' },
        })
        await sleep(2)
      }
    })()
    for (let i = 0; i < 4; i++) expect(await runClient(['verify', ...place], await env())).toMatchObject({ code: 0 })
    ending.abort()
    await writing
    running.process.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
  }
}, 60_000)

test('a changed, a missing and a superfluous product are found, shown and repaired in SQLite', async () => {
  const file = join(root, 'damaged.db')
  const place = ['--sqlite', file]
  // the mirror keeps running meanwhile
  const running = startClient(['mirror', ...place], await env())
  await expect.poll(() => running.out().match(/up to date/g), { timeout: 10_000 }).toHaveLength(3)
  const [changed, missing, ghost] = [ids[20]!, ids[21]!, 987_654_321]
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.prepare(
    "update shelfwire_product set product = json_set(product, '$.title', ?, '$.extra', 1) where store = 'main' and id = ?",
  ).run('\u001b]0;owned\u0007', changed)
  db.prepare("delete from shelfwire_product where store = 'main' and id = ?").run(missing)
  db.prepare(
    "insert into shelfwire_product select store, ?, json_set(product, '$.id', ?) from shelfwire_product where store = 'main' and id = ?",
  ).run(ghost, ghost, ids[22]!)
  db.close()
  const found = { event: 'unequal', different: [changed], missing: [missing], superfluous: [ghost], damaged: [] }
  expect(await verified(place, 'main')).toEqual({ code: 1, said: [expect.objectContaining(found)] })
  expect(await verified(place, 'pl')).toMatchObject({ code: 0 })

  const shown = await runClient(['diff', '--store', 'main', ...place], await env())
  expect(shown.code).toBe(1)
  expect(shown.out).toContain(
    `main: product ${changed} is different:\n  title\n    mirror   "\\u001b]0;owned\\u0007"\n    service  "Article ${SKUS[20]}"\n  extra\n    mirror   1\n    service  (none)\n`,
  )
  expect(shown.out).toContain(`main: product ${missing} is missing\n`)
  expect(shown.out).toContain(`main: product ${ghost} is superfluous\n`)
  const { out } = await runClient(['diff', '--store', 'main', '--json', '--limit', '1', ...place], await env())
  expect(objects(out)).toEqual([
    {
      event: 'difference',
      store: 'main',
      product_id: changed,
      kind: 'different',
      members: [
        { member: 'title', mirror: '\u001b]0;owned\u0007', service: `Article ${SKUS[20]}` },
        { member: 'extra', mirror: 1 },
      ],
    },
    expect.objectContaining(found),
  ])

  const repaired = await verified(place, 'main', '--repair')
  expect(repaired).toMatchObject({
    code: 0,
    said: [found, { event: 'repaired', store: 'main', written: 2, removed: 1 }],
  })
  expect(await verified(place, 'main')).toMatchObject({ code: 0, said: [{ event: 'equal' }] })
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
}, 60_000)

test('files of a directory that were cut off or changed are found and repaired, by one process at a time', async () => {
  const dir = join(root, 'damaged')
  const place = ['--dir', dir]
  await mirrored(place)
  const names = (await readdir(join(dir, 'main'))).filter((name) => name.endsWith('.ndjson')).sort()
  const [first, second] = names.map((name) => join(dir, 'main', name))
  truncateSync(first!, readFileSync(first!).length - 40)
  const lines = readFileSync(second!, 'utf8').split('\n')
  writeFileSync(
    second!,
    ['{"id": 1, "is": "in the wrong file"}', ...lines.slice(0, 4), '\u0000\u0000', ...lines.slice(5)].join('\n'),
  )
  const { code, said } = await verified(place, 'main')
  expect(code).toBe(1)
  expect(said).toMatchObject([
    {
      event: 'unequal',
      missing: [expect.any(Number), expect.any(Number)],
      damaged: [{ file: first }, { file: second, line: 1 }, { file: second, line: 6 }],
    },
  ])
  const running = startClient(['mirror', ...place], await env())
  await expect.poll(() => running.out().match(/up to date/g), { timeout: 10_000 }).toHaveLength(3)
  const beside = await runClient(['verify', '--repair', ...place], await env())
  expect(beside).toMatchObject({ code: 5, err: expect.stringContaining('writes this directory') as string })
  running.process.kill('SIGINT')
  await running.ended
  expect(await verified(place, 'main', '--repair')).toMatchObject({ code: 0 })
  expect(await verified(place, 'main')).toMatchObject({ code: 0, said: [{ event: 'equal' }] })
}, 60_000)

test('a position that was cut off is named; without it the mirror is filled again', async () => {
  const dir = join(root, 'position')
  const place = ['--dir', dir]
  await mirrored(place)
  const file = join(dir, 'main', 'position')
  const whole = readFileSync(file, 'utf8')
  const refused = async (damaged: string, ...command: string[]) => {
    writeFileSync(file, damaged)
    const ended = await runClient([...command, ...place, '--store', 'main'], await env())
    expect(ended, `${command.join(' ')} of ${damaged}`).toMatchObject({
      code: 5,
      err: expect.stringContaining('the position of the mirror of main is damaged') as string,
    })
    expect(ended.err).not.toContain(' at ')
  }
  for (const damaged of ['', whole.slice(0, -5), 'null']) await refused(damaged, 'verify')
  await refused('{"kind":"following"}', 'mirror', '--once')
  await refused('[]', 'mirror')
  rmSync(file)
  await mirrored(place)
  expect(await verified(place, 'main')).toMatchObject({ code: 0, said: [{ event: 'equal' }] })
}, 60_000)

test('hostile and long titles are shown in one short line', async () => {
  const dir = join(root, 'hostile')
  const place = ['--dir', dir, '--store', 'main']
  await mirrored(place)
  for (const name of await readdir(join(dir, 'main'))) {
    const file = join(dir, 'main', name)
    if (name.endsWith('.ndjson')) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('long long ', ''))
  }
  const { code, out } = await runClient(['diff', ...place], await env())
  expect(code).toBe(1)
  expect(out).toContain('\\u001b[2J\\u009b31m\\u202e')
  // oxlint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(300)
})

test('a mirror that is not there, not filled, or of a store that it lacks says so', async () => {
  const nowhere = await runClient(['verify', '--dir', join(root, 'nowhere')], await env())
  expect(nowhere).toMatchObject({ code: 5, err: expect.stringContaining('is no mirror') as string })
  const noFile = await runClient(['diff', '--sqlite', join(root, 'nowhere.db')], await env())
  expect(noFile).toMatchObject({ code: 5, err: expect.stringContaining('is no mirror') as string })
  const dir = join(root, 'one')
  await mirrored(['--dir', dir, '--store', 'pl'])
  expect(await runClient(['verify', '--dir', dir], await env())).toMatchObject({ code: 0 })
  const lacking = await runClient(['verify', '--dir', dir, '--store', 'de', '--store', 'pl'], await env())
  expect(lacking.code).toBe(1)
  expect(lacking.err).toContain('de: the mirror is not filled yet')
  expect(lacking.out).toContain('equal as of')
})
