import type { Command } from 'commander'
import { excludeProducts, includeProducts } from '../../catalog/products/listings/exclusions.ts'
import { mergeProducts, splitProduct } from '../../catalog/products/merge-split.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { explainProduct } from '../../shelf/reads/explain.ts'
import { findFindings } from '../../shelf/findings/findings.ts'
import { confirmAllPrices, confirmPrices } from '../../shelf/confirm-prices.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { explanationText } from './explanation.ts'
import { findingsText } from './findings.ts'
import { idsNamed, named, STORE, SUPPLIER } from '../console/named.ts'
import { withRuntime } from '../console/run.ts'
import { idNumber, idNumbers, printed, writeTo, type Common } from '../console/write.ts'
import { must } from '../../platform/must.ts'

/** Commands for single products: explanations, findings, held prices, merging, splitting, exclusions. */
export function productCommands(program: Command): void {
  withAccountOptions(
    program.command('explain').description('explain a product’s data in a store: offers, prices, texts, exclusions'),
  )
    .requiredOption('--store <slug>', 'store')
    .requiredOption('--product <id>', 'product')
    .action((options: Common & { store: string; product: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, store, product } = options
        const { slug } = await named(runtime.db, account, STORE, store)
        const explanation = await explainProduct(runtime.db, account, slug, idNumber('--product', product))
        printer.result({ ...explanation }, explanationText(explanation))
      }),
    )
  withAccountOptions(
    program
      .command('findings')
      .description(
        'list what needs attention: what products lack, offers of unreadable rows, silent suppliers, colliding EANs and SKUs, offers without a rate, held prices',
      ),
  ).action((options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      const findings = await findFindings(runtime.db, options.account)
      printer.result({ ...findings }, findingsText(findings))
    }),
  )
  withAccountOptions(
    program
      .command('prices')
      .description('held prices: prices that changed by more than the account allows')
      .command('confirm')
      .description('confirm held prices'),
  )
    .option('--product <id...>', 'only of these products')
    .option('--all', 'of all products')
    .action((options: Common & { product?: string[]; all?: true }) =>
      writeTo(options, async (tx) => {
        const productIds = idNumbers('--product', options.product) ?? null
        if ((productIds === null) === (options.all === undefined))
          throw new ShelfwireError('invalid-input', 'give either --product ID or --all')
        if (productIds === null) {
          const all = await confirmAllPrices(tx, options.account)
          return printed(all, { prices: all.value }, `${all.value} held prices confirmed`)
        }
        const confirmed = await confirmPrices(tx, options.account, productIds)
        const count = confirmed.productIds.length
        return printed(confirmed, { products: count }, `held prices of ${count} products confirmed`)
      }),
    )
  identityCommands(program.command('product').description('single products'))
}

function identityCommands(product: Command): void {
  withAccountOptions(
    product.command('merge').description('merge products into one, which stays; the others are removed'),
  )
    .requiredOption('--into <id>', 'product that stays')
    .requiredOption('--product <id...>', 'products to merge into it')
    .action((options: Common & { into: string; product: string[] }) =>
      writeTo(options, async (tx) => {
        const winner = idNumber('--into', options.into)
        const written = await mergeProducts(tx, options.account, winner, idNumbers('--product', options.product) ?? [])
        const merged = written.productIds.length - 1
        return printed(written, { product_id: winner, merged }, `${merged} products merged into ${winner}`)
      }),
    )
  withAccountOptions(product.command('split').description('move some of a product’s offers to a new product'))
    .requiredOption('--product <id>', 'product')
    .requiredOption('--offer <supplier:sku...>', 'offers to move, such as north:A-1')
    .action((options: Common & { product: string; offer: string[] }) =>
      writeTo(options, async (tx) => {
        const parts = options.offer.map((text) => {
          const at = text.indexOf(':')
          if (at < 1)
            throw new ShelfwireError(
              'invalid-input',
              `--offer takes a supplier's code and its key, such as north:A-1, not "${text}"`,
            )
          return { code: text.slice(0, at), supplierSku: text.slice(at + 1) }
        })
        const codes = parts.map(({ code }) => code)
        const supplierIds = (await idsNamed(tx, options.account, SUPPLIER, codes)) ?? []
        const offers = parts.map(({ supplierSku }, i) => ({ supplierId: must(supplierIds[i]), supplierSku }))
        const productId = idNumber('--product', options.product)
        const split = await splitProduct(tx, options.account, productId, offers)
        return printed(
          split,
          { product_id: split.value, offers: offers.length },
          `product ${split.value} created from ${offers.length} offers of ${productId}`,
        )
      }),
    )
  withAccountOptions(product.command('exclude').description('exclude products manually from one store or from all'))
    .requiredOption('--product <id...>', 'products')
    .option('--store <slug>', 'only this store')
    .option('--reason <text>', 'reason shown to clients', 'manual')
    .action((options: Common & { product: string[]; store?: string; reason: string }) =>
      writeTo(options, async (tx) => {
        const store =
          options.store === undefined ? null : (await named(tx, options.account, STORE, options.store)).storeId
        const written = await excludeProducts(
          tx,
          options.account,
          store,
          idNumbers('--product', options.product) ?? [],
          options.reason,
        )
        const products = written.productIds.length
        return printed(written, { products }, `${products} products excluded`)
      }),
    )
  withAccountOptions(product.command('include').description('undo a manual exclusion'))
    .requiredOption('--product <id...>', 'products')
    .option('--store <slug>', 'only the exclusion from this store')
    .action((options: Common & { product: string[]; store?: string }) =>
      writeTo(options, async (tx) => {
        const store =
          options.store === undefined ? null : (await named(tx, options.account, STORE, options.store)).storeId
        const written = await includeProducts(tx, options.account, store, idNumbers('--product', options.product) ?? [])
        const products = written.productIds.length
        return printed(written, { products }, `${products} products included again`)
      }),
    )
}
