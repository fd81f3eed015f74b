import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { client, tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Clients that generators make from the OpenAPI document of a running service compile under `strict`, including their libraries,
// and read that service. test/generators/generators.sh installs the generators, except openapi-generator, whose jar is in a
// registry that this gate does not reach; the last version in npm (1.0.18-5.0.0-beta2) does not support OpenAPI 3.1
// (docs/read-api.md).

const ROOT = process.env['GENERATORS_ROOT'] ?? join(process.env['TMPDIR'] ?? tmpdir(), 'shelfwire-generators')
const PACKAGES = join(ROOT, 'node_modules')
const { service, account } = worldOfFile({ service: {}, account: 'acme', products: ['A1', 'A2', 'A3'] })
const directory = directoryOfFile('generated')
const run = promisify(execFile)

// the setting from docs/read-api.md: the body of an upload is the file or a form with it, and orval types it as both at once
const orvalConfig = (url: string) => `export default {
  shelfwire: {
    input: './openapi.json',
    output: {
      target: './orval/client.ts',
      client: 'fetch',
      baseUrl: '${url}/v1',
      override: { contentType: { exclude: ['multipart/form-data'] } },
    },
  },
}
`

/** A program that uses all three generated clients. For each it prints a list of ids, and a refusal with its type. */
const PROGRAM = `import type { components, operations } from './openapi-typescript'
import { listProducts as withOrval } from './orval/client'
import { listProducts as withHeyApi } from './hey-api'
import { client } from './hey-api/client.gen'

declare const process: { argv: string[] }
type Product = components['schemas']['Product']
type Query = NonNullable<operations['listProducts']['parameters']['query']>
const [url = '', token = '', ...texts] = process.argv.slice(2)
const headers = { Authorization: \`Bearer \${token}\` }
const query: Query = { ids: texts.map(Number) }
client.setConfig({ baseUrl: \`\${url}/v1\`, auth: token })

async function main(): Promise<void> {
  const orval = await withOrval({ ids: query.ids }, { headers })
  if (orval.status !== 200) throw new Error(String(orval.status))
  const heyApi = await withHeyApi({ query: { ids: query.ids } })
  if (heyApi.data === undefined) throw new Error(JSON.stringify(heyApi.error))
  const refused = await withOrval({ store: 'nowhere' }, { headers })
  const refusal = refused.status === 404 ? refused.data.code : null
  const skusOf = (products: readonly Pick<Product, 'sku'>[]) => products.map(({ sku }) => sku)
  console.log(JSON.stringify({ orval: skusOf(orval.data.data), heyApi: skusOf(heyApi.data.data), refusal }))
}
void main()
`

const COMPILER = {
  strict: true,
  outDir: 'built',
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: false,
}

test.skipIf(!existsSync(join(ROOT, 'installed')))(
  'what openapi-typescript, orval and hey-api generate compiles under strict, and reads',
  { timeout: 300_000 },
  async () => {
    const token = await tokenFor(service.runtime, account.accountId, 'connector')
    const { status, body } = await client(service.url, null)('/openapi.json')
    expect(status).toBe(200)
    await mkdir(directory, { recursive: true })
    await symlink(PACKAGES, join(directory, 'node_modules'))
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
    await writeFile(join(directory, 'openapi.json'), JSON.stringify(body))
    await writeFile(join(directory, 'orval.config.mjs'), orvalConfig(service.url))
    await writeFile(join(directory, 'program.ts'), PROGRAM)
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER, files: ['program.ts'] }),
    )
    const node = (program: string, ...argv: string[]) =>
      run(process.execPath, [join(PACKAGES, program), ...argv], { cwd: directory, maxBuffer: 1e8 })
    await node('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.ts')
    await node('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs')
    await node('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch')
    const said = await node('typescript/bin/tsc', '-p', '.').catch((error: { stdout: string }) => error)
    expect(said.stdout).toBe('')
    // bundled into one file, because the generated imports lack the file extensions that Node requires
    await node('esbuild/bin/esbuild', 'program.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=run.mjs')
    const { data: products } = (await client(service.url, token)('/v1/products')).body as { data: { id: number }[] }
    const ids = products.slice(1).map(({ id }) => String(id))
    const { stdout } = await run(process.execPath, ['run.mjs', service.url, token, ...ids], { cwd: directory })
    expect(JSON.parse(stdout)).toEqual({ orval: ['A2', 'A3'], heyApi: ['A2', 'A3'], refusal: 'unknown-store' })
  },
)
