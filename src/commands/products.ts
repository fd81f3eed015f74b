import type { Command } from 'commander'
import { excludeProducts, includeProducts } from '../catalog/products/exclusions.ts'
import { mergeProducts, splitProduct } from '../catalog/products/merge-split.ts'
import { suppliersList } from '../catalog/settings/suppliers.sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { explainProduct } from '../shelf/explain.ts'
import { findFindings } from '../shelf/findings.ts'
import { confirmAllPrices, confirmPrices } from '../shelf/confirm-prices.ts'
import { ofAccount } from './accounts.ts'
import { explanationText } from './explanation.ts'
import { findingsText } from './findings.ts'
import { withRuntime } from './run.ts'
import { idNumber, idNumbers, writeTo, type Common } from './write.ts'

/** Commands about single products: why they are what they are, and what the owner says of them. */
export function productCommands(program: Command): void {
  ofAccount(
    program.command('explain').description('why a product is what it is in a store: offers, prices, texts, exclusions'),
  )
    .requiredOption('--store <slug>', 'store')
    .requiredOption('--product <id>', 'product')
    .action((options: Common & { store: string; product: string }) =>
      withRuntime(options.json, async ({ runtime, printer }) => {
        const explanation = await explainProduct(
          runtime.db,
          options.account,
          options.store,
          idNumber('--product', options.product),
        )
        printer.result({ ...explanation }, explanationText(explanation))
      }),
    )
  ofAccount(
    program
      .command('findings')
      .description('what the owner should look at: EANs and SKUs that collide, offers without a rate, held prices'),
  ).action((options: Common) =>
    withRuntime(options.json, async ({ runtime, printer }) => {
      const findings = await findFindings(runtime.db, options.account)
      printer.result({ ...findings }, findingsText(findings))
    }),
  )
  ofAccount(
    program
      .command('prices')
      .description('prices that were held back because they jumped')
      .command('confirm')
      .description('let held prices through'),
  )
    .option('--product <id...>', 'only of these products')
    .option('--all', 'of all products')
    .action((options: Common & { product?: string[]; all?: true }) =>
      writeTo(options, async (tx) => {
        const productIds = idNumbers('--product', options.product) ?? null
        if ((productIds === null) === (options.all === undefined))
          throw new ShelfwireError('invalid-input', 'give either --product ID or --all')
        if (productIds === null) {
          const prices = await confirmAllPrices(tx, options.account)
          return { fields: { prices }, text: `${prices} held prices are let through` }
        }
        const confirmed = await confirmPrices(tx, options.account, productIds)
        return {
          fields: { products: confirmed.length },
          text: `held prices of ${confirmed.length} products are let through`,
          productIds: confirmed,
        }
      }),
    )
  identityCommands(program.command('product').description('single products'))
}

function identityCommands(product: Command): void {
  ofAccount(
    product.command('merge').description('make one product of several; the first stays, the others are removed'),
  )
    .requiredOption('--into <id>', 'product that stays')
    .requiredOption('--product <id...>', 'products that go into it')
    .action((options: Common & { into: string; product: string[] }) =>
      writeTo(options, async (tx) => {
        const winner = idNumber('--into', options.into)
        const productIds = await mergeProducts(
          tx,
          options.account,
          winner,
          idNumbers('--product', options.product) ?? [],
        )
        return {
          fields: { product_id: winner, merged: productIds.length - 1 },
          text: `${productIds.length - 1} products went into ${winner}`,
          productIds,
        }
      }),
    )
  ofAccount(product.command('split').description('make a new product of some of a product’s offers'))
    .requiredOption('--product <id>', 'product')
    .requiredOption('--offer <supplier:sku...>', 'offers that leave, as north:A-1')
    .action((options: Common & { product: string; offer: string[] }) =>
      writeTo(options, async (tx) => {
        const suppliers = new Map((await suppliersList(tx, options.account)).map((row) => [row.code, row.supplierId]))
        const offers = options.offer.map((text) => {
          const at = text.indexOf(':')
          const supplierId = suppliers.get(text.slice(0, Math.max(0, at)))
          if (supplierId === undefined)
            throw new ShelfwireError(
              'unknown-supplier',
              `--offer takes a supplier's code and its key as north:A-1; «${text}» names no supplier of the account`,
            )
          return { supplierId, supplierSku: text.slice(at + 1) }
        })
        const productId = idNumber('--product', options.product)
        const newId = await splitProduct(tx, options.account, productId, offers)
        return {
          fields: { product_id: newId, offers: offers.length },
          text: `product ${newId} is made of ${offers.length} offers of ${productId}`,
          productIds: [productId, newId],
        }
      }),
    )
  ofAccount(product.command('exclude').description('keep products out of the export of one store or of all'))
    .requiredOption('--product <id...>', 'products')
    .option('--store <id>', 'only this store')
    .option('--reason <text>', 'what clients read', 'manual')
    .action((options: Common & { product: string[]; store?: string; reason: string }) =>
      writeTo(options, async (tx) => {
        const store = options.store === undefined ? null : idNumber('--store', options.store)
        const productIds = await excludeProducts(
          tx,
          options.account,
          store,
          idNumbers('--product', options.product) ?? [],
          options.reason,
        )
        return {
          fields: { products: productIds.length },
          text: `${productIds.length} products are excluded`,
          productIds,
        }
      }),
    )
  ofAccount(product.command('include').description('take an exclusion by hand back'))
    .requiredOption('--product <id...>', 'products')
    .option('--store <id>', 'what was said for this store')
    .action((options: Common & { product: string[]; store?: string }) =>
      writeTo(options, async (tx) => {
        const store = options.store === undefined ? null : idNumber('--store', options.store)
        const productIds = await includeProducts(
          tx,
          options.account,
          store,
          idNumbers('--product', options.product) ?? [],
        )
        return {
          fields: { products: productIds.length },
          text: `${productIds.length} products are included again`,
          productIds,
        }
      }),
    )
}
