import { execFile, spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { presetMapping } from '../../src/supplier-files/presets/preset-mapping.ts'
import { createAccount } from '../harness/account.ts'
import { ofFile } from '../harness/world.ts'
import { openStoreBench } from './store-bench.ts'

// Groups, options and pictures of exports of shop systems as clients read them after an import with the built-in mapping, compared
// with those that groups_of_export.py, an independent program, reads in the same files.

const stores = ofFile(openStoreBench)

const MEDIA = 'https://shop.example/media'
/** The mapping from docs/import.md for catalogs whose articles name the article of which they are variants. */
const VERSIONS = {
  fields: {
    group_key: { first: [{ column: 'base_product', optional: true }, { constant: '' }] },
    group_options: [{ list: 'features', name: 'name', value: 'value', unit: 'unit', only: ['Farbe', 'Größe'] }],
  },
}
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const isThere = spawnSync('python3', ['--version']).status === 0

interface Stated {
  group: string | null
  options: Record<string, string>
  pictures: string[]
}

/** The articles as the program reads them in the file, by SKU. */
async function stated(format: string, file: string): Promise<Record<string, Stated>> {
  const args = [path('groups_of_export.py'), format, file, MEDIA]
  const { stdout, stderr } = await promisify(execFile)('python3', args, { env: { ...process.env, PYTHONUTF8: '1' } })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, Stated>
}

interface Product {
  images: string[]
  group?: { id: number; key: string; options: { label: string; value: string }[] }
}

describe.skipIf(!isThere)(
  `exports beside another reader${isThere ? '' : ' (skipped: python3 is not installed)'}`,
  () => {
    it.each([
      ['shopify', 'shopify.csv', 1],
      ['woocommerce', 'woocommerce.csv', 1],
      ['magento2', 'magento2.csv', 1],
      ['prestashop-combinations', 'prestashop-combinations.csv', 2],
      ['vendure', 'vendure.csv', 1],
      ['google', 'google.xml', 1],
      ['bmecat', 'bmecat-versions.xml', 2, VERSIONS],
      ['wix', 'wix.csv', 1],
      ['squarespace', 'squarespace.csv', 1],
      ['medusa', 'medusa.csv', 1],
      ['heureka', 'heureka.xml', 1],
    ] as [string, string, number, object?][])(
      '%s: groups, options and pictures are as in the file',
      async (format, name, groups, more) => {
        const account = await createAccount(stores.bench)
        const file = path(`../../src/supplier-files/exports/${name}`)
        const mapping = presetMapping(format, { imageBaseUrl: MEDIA, ...more })
        const { refused } = await stores.bring(account, 0, createReadStream(file), mapping)
        expect(refused).toEqual([])
        const get = await stores.reader(account)
        const offers = await stores.database.db<{ sku: string; productId: number }[]>`
      select supplier_sku as sku, product_id as "productId" from offer where account_id = ${account.accountId}`
        const read: Record<string, Stated> = {}
        const keyOf = new Map<number, string>()
        for (const { sku, productId } of offers) {
          const { images, group } = ((await get(`/v1/products/${productId}?store=main`)).body as { data: Product }).data
          if (group !== undefined) keyOf.set(group.id, group.key)
          read[sku] = {
            group: group?.key ?? null,
            options: Object.fromEntries((group?.options ?? []).map(({ label, value }) => [label, value])),
            pictures: images,
          }
        }
        expect(read).toEqual(await stated(format, file))
        // clients see the same groups: as many ids as keys
        expect([keyOf.size, new Set(keyOf.values()).size]).toEqual([groups, groups])
      },
    )
  },
)
