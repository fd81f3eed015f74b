import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { debianBinaries, startDebianServer } from '../harness/debian-server.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client, type Client } from '../harness/service.ts'
import {
  ask,
  cursorOf,
  importFile,
  keptFile,
  PERSON,
  SETTINGS,
  type KeptAccount,
  type KeptAnswer,
  type KeptRelease,
  type SentFile,
} from './older-release.ts'

// Fills a database through the HTTP API and the commands of a release, and stores the database and the release's answers beside
// this file, for upgrade.full.pg.test.ts. Needs Debian's PostgreSQL 15 with pg_dump, whose dumps newer servers can load. Run once,
// when a release is cut (0.1.0 is fb71e2fa):
//
//     node bin/run.mjs test/upgrade/fill.ts .
//
// The data is always the same, except for times, secrets and random identifiers. Nothing in it is due later: no offer is absent, no
// rule begins or ends after today, and every delivery has arrived.

const run = promisify(execFile)
const OLD = resolve(process.argv[2] ?? '')
const { version: RELEASE } = JSON.parse(await readFile(join(OLD, 'package.json'), 'utf8')) as { version: string }
const PORT = 18_127
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`
const directory = await mkdtemp(join(tmpdir(), 'shelfwire-fill-'))
const database = await startDebianServer(15, directory, { fsync: 'off', timezone: 'UTC' })
const databaseUrl = database.url.replace(/\/postgres$/, '/older')
const programs = debianBinaries(15) ?? ''
await run(join(programs, 'psql'), [database.url, '-qc', 'create database older'])
const env = {
  ...SETTINGS,
  PATH: process.env['PATH'],
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(directory, 'data'),
  PORT: String(PORT),
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
}

// oxlint-disable-next-line typescript/no-explicit-any
async function command(...args: readonly string[]): Promise<any> {
  const { stdout } = await run(process.execPath, ['bin/shelfwire.mjs', ...args, '--json'], { cwd: OLD, env })
  return JSON.parse(stdout)
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition().catch(() => false)); tries++) {
    if (tries === 600) throw new Error(`not in time: ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

type Send = ReturnType<typeof writer>
/** Writes below /v1/account; throws unless it is accepted. @returns `data` of the answer */
function writer(http: Client) {
  return async (method: string, path: string, body?: unknown) => {
    const json = { method, headers: { 'content-type': 'application/json', prefer: 'wait=20' } }
    const answer = await http(
      `/v1/account${path}`,
      body === undefined ? { method } : { ...json, body: JSON.stringify(body) },
    )
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body?.data
  }
}

const SOUTH: SentFile = {
  supplier: 'south',
  name: 'south.csv',
  text: [
    'sku,ean,cost,quantity,title,title_pl,description,brand,category,image,color,weight',
    'S-1,4006381333931,38.00,9,Spade (south),Szpadel,"<p>Spade, ""forged""</p>",Acme,Garden/Soil,https://img.example.com/s1.jpg,red,2.5 kg',
    'S-2,96385074,76.00,4,Hammer (south),Młotek,,Acme,Tools/Hammers,https://img.example.com/s2.jpg,,0.8 kg',
    'S-3,5901234123457,11.90,>10,Rake,Grabie,<p>Rake</p>,Bolt,Garden/Tools,,blue,',
    'S-4,,0.45,1000,Nail,Gwóźdź,,Bolt,Tools/Small,,,',
    'S-5,4012345678901,249.99,2,Mower,Kosiarka,<p>Mower</p>,Müller,Garden/Machines,https://img.example.com/s5.jpg,green,31 kg',
  ].join('\r\n'),
  mapping: {
    format: 'csv',
    locale: 'en',
    fields: {
      sku: 'sku',
      ean: 'ean',
      cost: 'cost',
      quantity: 'quantity',
      title: 'title',
      description: 'description',
      manufacturer: 'brand',
      category: 'category',
      images: 'image',
      attributes: [
        { key: 'color', column: 'color' },
        { key: 'weight', column: 'weight' },
      ],
    },
  },
}

async function fillGarden(send: Send, http: Client): Promise<void> {
  await send('PATCH', '', { time_zone: 'Europe/Warsaw' })
  await send('PUT', '/stores/pl', { name: 'Sklep', locale: 'pl-PL', currency: 'PLN' })
  await send('PUT', '/stores/de', { name: 'Gartenladen', locale: 'de-AT', currency: 'EUR' })
  const trade = await send('POST', '/groups', { name: 'Trade' })
  await send('POST', '/groups', { name: 'Staff' })
  await send('PUT', '/rates/PLN', { rate: '4.25' })
  await send('PUT', '/rates/USD', { rate: '1.1' })
  const suppliers = []
  for (const [code, currency, priority, more] of [
    ['north', 'EUR', 10, {}],
    ['south', 'PLN', 20, { safety_buffer: 2 }],
    ['west', 'USD', 30, {}],
    ['paused', 'EUR', 5, {}],
  ] as const)
    suppliers.push(await send('PUT', `/suppliers/${code}`, { name: `Supplier ${code}`, currency, priority, ...more }))
  await send('POST', '/categories', { path: 'Shop/Garden', supplier_paths: ['Garden', 'Garden/Soil'] })
  const tools = await send('POST', '/categories', { path: 'Shop/Tools', supplier_paths: ['Tools/Hammers'] })
  await send('PUT', '/attributes/color', {
    position: 1,
    labels: { en: 'Colour', de: 'Farbe', pl: 'Kolor' },
    options: { red: { de: 'rot', pl: 'czerwony' }, blue: { pl: 'niebieski' } },
  })
  await send('PUT', '/attributes/length', { unit: 'cm', position: 2, labels: { en: 'Length', pl: 'Długość' } })

  const offers = Array.from({ length: 14 }, (_, i) => ({
    supplier: 'north',
    sku: `N-${i + 1}`,
    eans: i === 0 ? ['4006381333931'] : i === 1 ? ['96385074', '5900000001012'] : [],
    cost: `${(i + 1) * 3}.${i}5`,
    quantity: i % 4 === 3 ? 0 : i * 2,
    texts: {
      en: { title: `Article ${i + 1} & more`, description: `<p>About <b>${i + 1}</b> — “quoted”</p>` },
      ...(i % 2 === 0 ? { de: { title: `Größe ${i + 1}`, description: '<p>Für den Garten</p>' } } : {}),
      ...(i % 3 === 0 ? { pl: { title: `Artykuł ${i + 1} ąęł` } } : {}),
    },
    manufacturer: ['Acme', 'Bolt', 'Müller'][i % 3],
    category: ['Garden/Soil', 'Tools/Hammers', 'Electrical', 'Garden'][i % 4],
    attributes: [
      { key: 'color', value: i % 2 === 0 ? 'red' : 'blue' },
      { key: 'length', value: `${i}.5` },
      ...(i % 5 === 0 ? [{ key: 'warranty', value: '5 years' }] : []),
    ],
    images: Array.from({ length: i % 3 }, (_, n) => `https://images.example.com/n${i}-${n}.jpg`),
  }))
  await send('POST', '/bulk/offers', { rows: offers })
  await send('POST', '/bulk/offers', {
    rows: [
      { supplier: 'west', sku: 'W-1', eans: ['5901234123457'], cost: '2.10', quantity: 40 },
      { supplier: 'west', sku: 'W-2', cost: '7', quantity: 1, texts: { de: { title: 'Nur Deutsch' } } },
      { supplier: 'west', sku: 'W-3', quantity: 3, texts: { en: { title: 'No price' } } },
      { supplier: 'west', sku: 'W-4', eans: ['96385074'], cost: '19.99', quantity: 8 },
      { supplier: 'paused', sku: 'P-1', eans: ['5901234123457'], cost: '1', texts: { de: { title: 'Rechen' } } },
    ],
  })
  const first = await importFile(http, { ...SOUTH, text: SOUTH.text.replace('249.99', '239.99') })
  if (first.state !== 'succeeded') throw new Error(JSON.stringify(first))
  await send('PATCH', '/suppliers/paused', { is_active: false })
  await send('PUT', '/suppliers/west/sources/stock', {
    kind: 'http',
    url: 'https://files.example.com/stock.csv',
    credentials: { kind: 'basic', username: 'garden', password: 'made up for tests' },
    mapping: { format: 'csv', fields: { sku: 'sku', quantity: 'stock' } },
    mode: 'delta',
    is_active: false,
  })

  const idOf = async (supplier: string, sku: string): Promise<number> =>
    (await send('GET', `/suppliers/${supplier}/offers/${sku}`)).product_id
  await send('PUT', '/source-orders/title', { supplier_ids: [suppliers[1].id] })
  await send('POST', '/pricing-rules', {
    name: 'Trade',
    priority: 10,
    group_ids: [trade.id],
    action: 'markup',
    percent: '20',
    floor_profit: '1',
    rounding: {
      EUR: { step: '1', ending: '0.99', direction: 'up' },
      PLN: { step: '10', ending: '9.99', direction: 'up' },
    },
  })
  await send('POST', '/pricing-rules', {
    name: 'Garden',
    priority: 20,
    action: 'margin',
    percent: '30',
    categories: ['Shop/Garden'],
    valid_from: '2020-01-01',
    valid_to: '2199-12-31',
  })
  await send('POST', '/pricing-rules', {
    name: 'Over',
    action: 'markup',
    priority: 1,
    percent: '1',
    valid_from: '2020-01-01',
    valid_to: '2020-01-31',
  })
  await send('POST', '/pricing-rules', {
    name: 'Fixed',
    priority: 2,
    action: 'fixed',
    fixed_price: '5',
    product_ids: [await idOf('north', 'N-6')],
  })
  await send('POST', '/exclusion-rules', { name: 'Cheap', kind: 'price_below', amount: '2', reason: 'too_cheap' })
  await send('POST', '/exclusion-rules', { name: 'Sold out', kind: 'no_stock' })
  await send('POST', '/assortment-rules', {
    name: 'No electrical goods in Poland',
    store_id: (await send('GET', '/stores/pl')).id,
    is_listed: false,
    categories: ['Electrical'],
  })
  await send('PATCH', `/products/${await idOf('north', 'N-1')}`, {
    title: { de: 'Spaten 120 cm', pl: 'Szpadel „mocny”' },
    attributes: { color: { '*': 'blue', de: 'dunkelrot' }, warranty: { '*': false } },
    images: ['https://images.example.com/own.jpg'],
    category: tools.path,
  })
  await send('PATCH', `/products/${await idOf('north', 'N-3')}`, { exclusions: { '*': 'recalled' } })
  await send('PATCH', `/products/${await idOf('north', 'N-5')}`, { exclusions: { pl: 'not for Poland' } })
  await send('PATCH', `/products/${await idOf('north', 'N-9')}`, { listings: { de: false } })
  await send('PATCH', `/products/${await idOf('north', 'N-7')}`, { manufacturer: 'Own brand', images: [] })
  await send('PUT', `/products/${await idOf('north', 'N-2')}/stock`, { quantity: 3, cost: '8.9' })
  await send('POST', '/bulk/stock', { rows: [{ product_id: await idOf('north', 'N-8'), quantity: 12 }] })
  const own = await send('POST', '/products', {
    sku: 'GLOVES',
    title: { en: 'Gloves', pl: 'Rękawice' },
    listings: { main: true },
  })
  await send('PUT', `/products/${own.id}/stock`, { quantity: 25, cost: '4' })
  await send('POST', `/products/${await idOf('north', 'N-10')}/merge`, { product_ids: [await idOf('north', 'N-11')] })
  await send('POST', `/products/${await idOf('north', 'N-2')}/split`, { offers: [{ supplier: 'west', sku: 'W-4' }] })
  await send('DELETE', `/products/${await idOf('north', 'N-12')}`)
  await send('DELETE', '/suppliers/north/offers/N-13')

  // a price that jumps stays held
  await send('PATCH', '', { price_jump_factor: '3' })
  await send('PATCH', '/suppliers/north/offers/N-14', { cost: '900' })
  await send('PATCH', '/suppliers/west/offers/W-2', { cost: '0.5' })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M4 4h16v16H4z"/></svg>'
  const picture = await http('/v1/account/images', {
    method: 'POST',
    headers: { 'content-type': 'image/svg+xml' },
    body: svg,
  })
  if (picture.status !== 201) throw new Error(picture.text)
  await send('PATCH', `/products/${own.id}`, { images: [picture.body.data.url] })
  const second = await importFile(http, SOUTH)
  if (second.state !== 'succeeded' || second.changed !== 1) throw new Error(JSON.stringify(second))
}

async function fillTools(send: Send): Promise<void> {
  await send('PATCH', '', { any_locale: true, sku_pattern: '{supplier_code|upper}-{supplier_sku}-{checksum}' })
  await send('PUT', '/stores/en', { name: 'Abroad', locale: 'en-GB', currency: 'EUR' })
  await send('PUT', '/stores/few', { name: 'Few', locale: 'de', currency: 'CHF', lists_by_default: false })
  await send('PUT', '/rates/EUR', { rate: '0.9' })
  await send('PUT', '/suppliers/acme', { name: 'Acme', currency: 'EUR' })
  await send('PUT', '/suppliers/zeta', { name: 'Zeta', currency: 'CHF', priority: 3 })
  const rows = Array.from({ length: 8 }, (_, i) => ({
    supplier: i % 2 === 0 ? 'acme' : 'zeta',
    sku: `T ${i}/ü`,
    eans: i < 2 ? ['4006381333931'] : [],
    cost: `${i}.99`,
    quantity: i,
    texts: { [['de', 'fr', 'en'][i % 3] ?? 'de']: { title: `Werkzeug ${i}` } },
    manufacturer: 'Acme',
    attributes: [{ key: 'size', value: 'L' }],
  }))
  const { length } = await send('POST', '/bulk/offers', { rows })
  if (length !== rows.length) throw new Error('an offer is missing')
  await send('POST', '/assortment-rules', {
    name: 'Few',
    store_id: (await send('GET', '/stores/few')).id,
    is_listed: true,
    manufacturers: ['acme'],
  })
}

/** Answers of the read API: lists with several page sizes, every product, feeds as a whole and in windows, exports. */
async function readAll(http: Client, stores: readonly string[]) {
  const answers: KeptAnswer[] = [await ask(http, '/v1/stores')]
  const cursors: Record<string, string> = {}
  const keep = async (path: string, headers?: Record<string, string>) => {
    const answer = await ask(http, path, headers)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`)
    answers.push(answer)
    return answer
  }
  for (const store of stores) {
    const listed = JSON.parse((await keep(`/v1/products?store=${store}&per_page=200`)).body) as {
      data: { id: number }[]
    }
    for (const kind of ['products', 'prices']) {
      await keep(`/v1/${kind}?store=${store}&page=2&per_page=5`)
      await keep(`/v1/${kind}?store=${store}&after_id=0&per_page=200`)
      await keep(`/v1/${kind}?store=${store}&ids=${listed.data.map(({ id }) => id).join(',')}`)
      for (const { id } of listed.data) await keep(`/v1/${kind}/${id}?store=${store}`)
    }
    await keep(`/v1/products?store=${store}&ean=4006381333931`)
    let cursor = ''
    for (let hasMore = true; hasMore;) {
      const window = JSON.parse((await keep(`/v1/changes?store=${store}&limit=6${cursor}`)).body) as {
        next_since: string
        next_id: number
        has_more: boolean
      }
      hasMore = window.has_more
      cursor = `&${cursorOf(window)}`
    }
    await keep(`/v1/changes?store=${store}&limit=1000`)
    await keep(`/v1/changes?store=${store}&since=now`)
    await keep(`/v1/export?store=${store}`)
    cursors[store] = cursor.slice(1)
  }
  return { answers, cursors }
}

const RESOURCES = [
  '',
  ...['stores', 'suppliers', 'groups', 'rates', 'categories', 'attributes', 'source-orders', 'pricing-rules'].map(list),
  ...['exclusion-rules', 'assortment-rules', 'channels', 'products'].map(list),
]
function list(name: string): string {
  return `/${name}?per_page=200`
}

async function readSettings(http: Client): Promise<KeptAnswer[]> {
  const settings: KeptAnswer[] = []
  for (const path of RESOURCES) settings.push(await ask(http, `/v1/account${path}`))
  const { data } = JSON.parse(settings.find(({ path }) => path.includes('/suppliers'))?.body ?? '') as {
    data: { code: string }[]
  }
  for (const { code } of data)
    for (const path of ['offers', 'sources'])
      settings.push(await ask(http, `/v1/account/suppliers/${code}${list(path)}`))
  for (const { path, status, body } of settings) if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  return settings
}

const receiver = await startReceiver()
const service = spawn(process.execPath, ['bin/shelfwire.mjs', 'serve'], { cwd: OLD, env, stdio: 'inherit' })
const ended = new Promise((done) => service.once('exit', done))
try {
  await until('the service is ready', async () => (await fetch(`${URL_OF_SERVICE}/readyz`)).ok)
  const accounts: KeptAccount[] = []
  for (const [name, currency, locale, fill] of [
    ['Garden', 'EUR', 'en', fillGarden],
    ['Tools', 'CHF', 'de', fillTools],
  ] as const) {
    const isFirst = accounts.length === 0
    const args = ['--name', name, '--currency', currency, '--locale', locale]
    const { account_id: accountId } = await command('account', 'create', ...args)
    const tokenOf = async (access: string) =>
      (await command('token', 'create', '--account', String(accountId), '--access', access)).token as string
    const tokens = { connector: await tokenOf('connector'), full: await tokenOf('full') }
    const endpointArgs = ['--url', `${receiver.url}/${name}`, '--events', 'price,content,removed']
    const made = isFirst ? await command('endpoint', 'create', '--account', String(accountId), ...endpointArgs) : null
    const http = client(URL_OF_SERVICE, tokens.full)
    const send = writer(http)
    await fill(send, http)
    const files = []
    if (isFirst)
      for (const format of ['csv', 'google'])
        files.push(
          await send('POST', '/channels', {
            name: format,
            store: 'main',
            format,
            link_template: 'https://shop.example.com/p/{sku}',
          }),
        )
    const stores = ((await http('/v1/stores')).body.data as { slug: string }[]).map(({ slug }) => slug)
    let last = -1
    await until('every delivery has arrived', async () => {
      if (last === receiver.received.length) return true
      last = receiver.received.length
      await new Promise((done) => setTimeout(done, 3_000))
      return false
    })
    const reader = client(URL_OF_SERVICE, tokens.connector)
    const { answers, cursors } = await readAll(reader, stores)
    for (const { url } of files) answers.push(await ask(reader, new URL(url as string).pathname))
    accounts.push({
      accountId,
      name,
      tokens,
      stores,
      cursors,
      answers,
      settings: await readSettings(http),
      files: isFirst ? [SOUTH] : [],
      endpoint: made === null ? null : { id: made.endpoint_id, secret: made.secret },
    })
  }
  const member = await command('member', 'create', '--account', String(accounts[0]?.accountId), '--email', PERSON.email)
  const accepted = await fetch(`${URL_OF_SERVICE}/panel/api/links/accept-invitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: String(member.link).split('#')[1], name: 'Anna', password: PERSON.password }),
  })
  const session = /shelfwire_session=([^;]+)/.exec(accepted.headers.getSetCookie().join('\n'))?.[1]
  if (session === undefined) throw new Error(await accepted.text())
  service.kill('SIGTERM')
  await ended
  const kept: KeptRelease = { accounts, session }
  const { stdout: dump } = await run(
    join(programs, 'pg_dump'),
    ['--no-owner', '--no-privileges', '--column-inserts', '--rows-per-insert=50', databaseUrl],
    { maxBuffer: 2 ** 28 },
  )
  // without commands of psql itself (\restrict), which are not SQL
  const sql = dump.replaceAll(/^\\.*\n/gm, '')
  await writeFile(keptFile(RELEASE, 'sql'), gzipSync(sql, { level: 9 }))
  await writeFile(keptFile(RELEASE, 'json'), gzipSync(JSON.stringify(kept), { level: 9 }))
  process.stdout.write(`${receiver.received.length} deliveries, ${accounts.flatMap((a) => a.answers).length} answers\n`)
} finally {
  service.kill('SIGTERM')
  await ended
  await receiver[Symbol.asyncDispose]()
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
