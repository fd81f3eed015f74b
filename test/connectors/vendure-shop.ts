import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { hashOfDirectory, installConnector, keepPrinted, killed, untilHealthy, type Child } from './shop-process.ts'
import { freePort } from '../harness/free-port.ts'

// A real Vendure 3 shop, a server and a worker, on a database of the test, with the packed plugin in it: test/connectors/vendure.sh installs Vendure itself.

const ROOT = process.env['VENDURE_ROOT'] ?? join(process.env['TMPDIR'] ?? tmpdir(), 'shelfwire-vendure')
const CORE = join(ROOT, 'node_modules/@vendure/core/package.json')
const DASHBOARD = join(ROOT, 'node_modules/@vendure/dashboard/package.json')
export const OWNER = { identifier: 'superadmin', password: 'of-a-test-1234' }

// CommonJS, as `@vendure/create` generates it
const SERVER = `const core = require('@vendure/core')
const { AssetServerPlugin } = require('@vendure/asset-server-plugin')
const options = JSON.parse(process.env.SHELFWIRE_OPTIONS)
const config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: ['bearer', 'cookie'], superadminCredentials: ${JSON.stringify(OWNER)} },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: process.env.SYNCHRONIZE === 'true', logging: false },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [
    core.DefaultJobQueuePlugin.init({ pollInterval: 200 }),
    core.DefaultSearchPlugin,
    AssetServerPlugin.init({ route: 'assets', assetUploadDir: process.env.ASSETS }),
    ...(process.env.DASHBOARD === 'none'
      ? []
      : [require('@vendure/dashboard/plugin').DashboardPlugin.init({ route: 'dashboard', appDir: process.env.DASHBOARD })]),
    ...(process.env.OWN_PLUGIN === 'none' ? [] : [require('./own-plugin.js')]),
    ...(options === null ? [] : [require('@shelfwire/vendure').ShelfwirePlugin.init(options)]),
  ],
  logger: new core.DefaultLogger({ level: core.LogLevel.Info, timestamp: false }),
}
const started =
  process.env.ROLE === 'worker' ? core.bootstrapWorker(config).then((worker) => worker.startJobQueue()) : core.bootstrap(config)
started.catch((error) => {
  console.error(error)
  process.exit(1)
})
`

/** Whether the shop is installed here. */
export const isVendureInstalled = (): boolean => existsSync(join(ROOT, 'installed')) && existsSync(CORE)

/** Whether its dashboard is installed as well, which needs 570 MB more: `VENDURE_DASHBOARD=yes bash test/connectors/vendure.sh`. */
export const isDashboardInstalled = (): boolean => isVendureInstalled() && existsSync(DASHBOARD)

// the files that the plugin's README tells a shop to write
const DASHBOARD_FILES = {
  'vendure-config.ts': `import { ShelfwirePlugin } from '@shelfwire/vendure'
import { DefaultJobQueuePlugin, type VendureConfig } from '@vendure/core'
import { DashboardPlugin } from '@vendure/dashboard/plugin'
export const config: VendureConfig = {
  apiOptions: { port: 3000, adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: ['bearer', 'cookie'], superadminCredentials: { identifier: 'superadmin', password: 'x' } },
  dbConnectionOptions: { type: 'postgres' },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [
    DefaultJobQueuePlugin.init({}),
    DashboardPlugin.init({ route: 'dashboard', appDir: './dist/dashboard' }),
    ShelfwirePlugin.init({ url: 'http://127.0.0.1:1', token: 'x', stores: ['main'] }),
  ],
}
`,
  'vite.config.mts': `import { vendureDashboardPlugin } from '@vendure/dashboard/vite'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
export default {
  base: '/dashboard',
  build: { outDir: 'dist/dashboard' },
  plugins: [
    vendureDashboardPlugin({
      vendureConfigPath: pathToFileURL(resolve('vendure-config.ts')),
      api: { host: 'auto', port: 'auto' },
      gqlOutputPath: './src/gql',
    }),
  ],
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2022", "module": "commonjs", "moduleResolution": "node", "skipLibCheck": true, "esModuleInterop": true,
    "experimentalDecorators": true, "emitDecoratorMetadata": true, "jsx": "react-jsx", "outDir": "dist"
  }
}
`,
}

/** Builds the shop's dashboard with the plugin's page: 40 s of processor time, unless the page is unchanged since the last build. @returns its directory */
async function builtDashboard(shop: string): Promise<string> {
  const built = join(
    ROOT,
    'dashboards',
    await hashOfDirectory(join(shop, 'node_modules/@shelfwire/vendure/dist/dashboard')),
  )
  if (existsSync(built)) return built
  for (const [name, text] of Object.entries(DASHBOARD_FILES)) await writeFile(join(shop, name), text)
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: shop, maxBuffer: 1e8 })
  await mkdir(join(ROOT, 'dashboards'), { recursive: true })
  // renamed when complete, so that a kill leaves no partial build
  await rename(join(shop, 'dist/dashboard'), built)
  return built
}

export interface VendureShop extends AsyncDisposable {
  url: string
  /** Sends a request to the admin API. @param channel its token @throws Error with the shop's answer if it is refused */
  admin<T>(query: string, variables?: object, channel?: string): Promise<T>
  /** Sends a request to the shop API, as a shopper without an account. */
  shopper<T>(query: string, variables?: object, channel?: string): Promise<T>
  /** Sends a request to the plugin's routes, as the superadmin. */
  ask<T>(method: string, path: string, body?: object): Promise<T>
  /** The shop's own import of a CSV file. */
  importCsv(csv: string): Promise<{ imported: number; errors: string[] }>
  /** The end of the shop's output since it was started. */
  printed(): string
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>
  /** Starts it again, with other options of the plugin if they are given; null: without the plugin. */
  start(options?: object | null): Promise<void>
}

/** Starts a shop on an empty database. Takes some ten seconds. @param options of the plugin; null: without it @param hasDashboard whether its dashboard is there for a browser @param ownPlugin source of a CommonJS module that exports a plugin of the shop's own */
export async function startVendure(
  databaseUrl: string,
  options: object | null,
  { hasDashboard = false, ownPlugin = '' } = {},
): Promise<VendureShop> {
  await mkdir(join(ROOT, 'shops'), { recursive: true })
  const directory = await mkdtemp(join(ROOT, 'shops/shop-'))
  await writeFile(join(directory, 'package.json'), '{ "name": "shop", "private": true }')
  await writeFile(join(directory, 'server.js'), SERVER)
  if (ownPlugin !== '') await writeFile(join(directory, 'own-plugin.js'), ownPlugin)
  await installConnector(directory, 'vendure')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let env = {
    PATH: process.env['PATH'],
    HOME: ROOT,
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DASHBOARD: hasDashboard ? await builtDashboard(directory) : 'none',
    OWN_PLUGIN: ownPlugin === '' ? 'none' : 'there',
    ASSETS: join(directory, 'assets'),
    VENDURE_DISABLE_TELEMETRY: 'true',
    SYNCHRONIZE: 'true',
    SHELFWIRE_OPTIONS: JSON.stringify(options),
  }
  let server: Child | null = null
  let worker: Child | null = null
  let printed = () => ''
  let token: string | null = null
  const send = async (path: string, body: object | null, { method = 'POST', as = token, channel = '' } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(channel === '' ? {} : { 'vendure-token': channel }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Vendure: ${method} ${path} ${response.status} ${text.slice(0, 2_000)}`)
    return { data: JSON.parse(text) as unknown, session: response.headers.get('vendure-auth-token') }
  }
  const query = async (path: string, text: string, variables: object, as: string | null, channel: string) => {
    const { data: answer, session } = await send(path, { query: text, variables }, { as, channel })
    const { data, errors } = answer as { data: unknown; errors?: object[] }
    if (errors !== undefined)
      throw new Error(`Vendure: ${text.slice(0, 100)}: ${JSON.stringify(errors).slice(0, 2_000)}`)
    return { data: data as never, session }
  }
  const kill = async () => {
    await Promise.all([killed(server), killed(worker)])
  }
  const begin = (role: string) =>
    spawn(process.execPath, ['server.js'], { cwd: directory, env: { ...env, ROLE: role }, stdio: 'pipe' })
  const start = async (others?: object | null) => {
    if (server !== null) env.SYNCHRONIZE = 'false'
    if (others !== undefined) env = { ...env, SHELFWIRE_OPTIONS: JSON.stringify(others) }
    const started = begin('server')
    server = started
    const ofServer = keepPrinted(started)
    printed = ofServer
    // on the first start the server creates the tables
    if (env.SYNCHRONIZE === 'true') await untilHealthy(started, `${url}/health`, ofServer)
    env.SYNCHRONIZE = 'false'
    worker = begin('worker')
    const ofWorker = keepPrinted(worker)
    printed = () => ofServer() + ofWorker()
    await untilHealthy(started, `${url}/health`, ofServer)
    const login =
      'mutation($identifier: String!, $password: String!) { login(username: $identifier, password: $password) { __typename } }'
    token = (await query('/admin-api', login, OWNER, null, '')).session
  }
  const shop: VendureShop = {
    url,
    admin: async (text, variables = {}, channel = '') =>
      (await query('/admin-api', text, variables, token, channel)).data,
    shopper: async (text, variables = {}, channel = '') =>
      (await query('/shop-api', text, variables, null, channel)).data,
    ask: async (method, path, body) => (await send(path, body ?? null, { method })).data as never,
    async importCsv(csv) {
      const text = 'mutation($csvFile: Upload!) { importProducts(csvFile: $csvFile) { imported errors } }'
      const body = new FormData()
      body.set('operations', JSON.stringify({ query: text, variables: { csvFile: null } }))
      body.set('map', '{ "0": ["variables.csvFile"] }')
      body.set('0', new Blob([csv], { type: 'text/csv' }), 'products.csv')
      const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' }
      const response = await fetch(`${url}/admin-api`, { method: 'POST', headers, body })
      const answer = (await response.json()) as { data?: { importProducts: { imported: number; errors: string[] } } }
      if (answer.data === undefined) throw new Error(`Vendure: ${JSON.stringify(answer).slice(0, 2_000)}`)
      return answer.data.importProducts
    },
    printed: () => printed(),
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
  try {
    await start()
    return shop
  } catch (error) {
    await shop[Symbol.asyncDispose]()
    throw error
  }
}

/** What an owner sets up once: tax, the currency of the default channel, and a channel and a stock location for a second store. */
export async function furnishVendure(shop: VendureShop): Promise<{ pl: string }> {
  const { createZone: zone } = await shop.admin<{ createZone: { id: string } }>(
    'mutation { createZone(input: { name: "Europe", memberIds: [] }) { id } }',
  )
  for (const [name, value] of [
    ['standard', 19],
    ['reduced', 7],
  ] as const) {
    const { createTaxCategory: category } = await shop.admin<{ createTaxCategory: { id: string } }>(
      'mutation($name: String!, $isDefault: Boolean!) { createTaxCategory(input: { name: $name, isDefault: $isDefault }) { id } }',
      { name, isDefault: name === 'standard' },
    )
    await shop.admin('mutation($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }', {
      input: { name, value, enabled: true, categoryId: category.id, zoneId: zone.id },
    })
  }
  const { channels } = await shop.admin<{ channels: { items: { id: string }[] } }>('{ channels { items { id } } }')
  const of = { defaultTaxZoneId: zone.id, defaultShippingZoneId: zone.id, pricesIncludeTax: true }
  await shop.admin(
    'mutation($input: UpdateGlobalSettingsInput!) { updateGlobalSettings(input: $input) { __typename } }',
    {
      input: { availableLanguages: ['en', 'pl'] },
    },
  )
  await shop.admin('mutation($input: UpdateChannelInput!) { updateChannel(input: $input) { __typename } }', {
    input: { ...of, id: channels.items[0]?.id, availableCurrencyCodes: ['EUR'], defaultCurrencyCode: 'EUR' },
  })
  const input = {
    ...of,
    // a shop whose prices are without tax there
    pricesIncludeTax: false,
    code: 'poland',
    token: 'token-of-poland',
    defaultLanguageCode: 'pl',
    availableLanguageCodes: ['pl', 'en'],
    defaultCurrencyCode: 'PLN',
    availableCurrencyCodes: ['PLN'],
  }
  const { createChannel: poland } = await shop.admin<{ createChannel: { id: string } }>(
    'mutation($input: CreateChannelInput!) { createChannel(input: $input) { __typename ... on Channel { id } } }',
    { input },
  )
  const { createStockLocation: location } = await shop.admin<{ createStockLocation: { id: string } }>(
    'mutation { createStockLocation(input: { name: "Magazyn" }) { id } }',
  )
  await shop.admin(
    'mutation($input: AssignStockLocationsToChannelInput!) { assignStockLocationsToChannel(input: $input) { id } }',
    { input: { stockLocationIds: [location.id], channelId: poland.id } },
  )
  return { pl: 'token-of-poland' }
}
