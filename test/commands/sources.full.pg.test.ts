import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { serveFiles } from '../import/sources-bench.ts'

test('sources are made, shown, tried, changed, run and deleted from the command line, by codes and names', async () => {
  await using database = await createDatabase()
  const { accountId } = await createAccount(openBench(database.db))
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-source-commands-'))
  try {
    await using server = await serveFiles(({ headers }, response) => {
      if (headers.authorization === undefined) response.writeHead(401).end()
      else response.end('sku,cost\nA-1,10\nA-2,11\n')
    })
    const { json, run, refusal } = openCommands(database, directory)
    const env = { OUTBOUND_ALLOW: '127.0.0.1/32' }
    const mapping = join(directory, 'mapping.json')
    await writeFile(mapping, JSON.stringify({ format: 'csv', fields: { sku: 'sku', cost: 'cost' } }))
    const one = ['--account', String(accountId), '--supplier', 'north', '--source', 'stock']
    const of = (name: string, ...rest: string[]) => ['source', name, ...one, ...rest]
    const ended = async (args: string[], input = '') => {
      const { code, out, err } = await run(args, { env, input })
      expect(err).toBe('')
      return [code, out]
    }

    const credentials = '{"kind": "basic", "username": "shop", "password": "hush"}'
    const settings = ['--url', `${server.url}/stock.csv`, '--mapping', mapping, '--every', '30', '--credentials', '-']
    const [code, text] = await ended(of('create', ...settings), credentials)
    expect([code, text]).toEqual([0, expect.stringContaining('every 30 minutes')])
    const shown = await json(of('show'))
    expect(shown).toMatchObject({
      name: 'stock',
      kind: 'http',
      credentials: { kind: 'basic' },
      every_minutes: 30,
      mode: 'full',
    })
    expect(JSON.stringify(shown)).not.toContain('hush')
    expect(await ended(of('test'))).toEqual([0, expect.stringContaining('works: stock.csv, 23 bytes, csv')])

    await ended(of('edit', '--cron', '30 5 * * *', '--time-zone', 'Europe/Warsaw', '--delta', '--no-credentials'))
    expect(await json(of('show'))).toMatchObject({
      cron: '30 5 * * *',
      every_minutes: null,
      mode: 'delta',
      credentials: null,
    })
    expect(await ended(of('test'))).toEqual([3, expect.stringContaining('add them to the source')])
    await ended(of('edit', '--mapping', 'magento2', '--image-base-url', 'https://shop.example/media'))
    expect((await json(of('show'))).mapping).toEqual({ preset: 'magento2', imageBaseUrl: 'https://shop.example/media' })
    await ended(of('edit', '--mapping', mapping))
    await ended(of('edit', '--no-schedule'))
    const { sources } = await json(`source list --account ${accountId}`)
    expect(sources).toMatchObject([{ supplier: 'north', name: 'stock', cron: null, next_run_at: null }])

    const { run_id: runId } = await json(of('run', '--dry-run'))
    expect(await refusal(of('run'))).toContain(`run ${runId} of this source waits or runs`)
    expect(await ended(of('delete'))).toEqual([0, expect.stringContaining('deleted')])
    expect(await refusal(of('show'))).toContain('the supplier north has no source "stock"')
    expect(await refusal(of('create', '--url', 'https://files.example/a', '--path', 'a'))).toContain('needs --mapping')
    expect(await refusal(`source list --account ${accountId} --supplier nobody`)).toContain('has no supplier "nobody"')
    expect(await refusal('source list --account 999999')).toContain('there is no account 999999')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
