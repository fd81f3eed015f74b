import type { Command } from 'commander'
import { SOURCE_FIELDS, type SourceField } from '../../contract/product-fields.ts'
import { groupsList } from '../catalog/settings/groups.sql.ts'
import { createGroup } from '../catalog/settings/groups.ts'
import { ratesList } from '../catalog/settings/rates.sql.ts'
import { setRates } from '../catalog/settings/rates.ts'
import { setSourceOrder } from '../catalog/settings/source-orders.ts'
import { storesList } from '../catalog/settings/stores.sql.ts'
import { createStore, editStore } from '../catalog/settings/stores.ts'
import { suppliersList, type SupplierLimits } from '../catalog/settings/suppliers.sql.ts'
import { createSupplier, editSupplier } from '../catalog/settings/suppliers.ts'
import type { Written } from '../catalog/stale/written.ts'
import { ofAccount } from './accounts.ts'
import { listing } from './listing.ts'
import { idsNamed, named, STORE, SUPPLIER } from './named.ts'
import { given, made, printed, wholeNumber, writeTo, type Common } from './write.ts'

/** Commands for an account's stores, suppliers, groups and rates. */
export function catalogCommands(program: Command): void {
  const create = (noun: string, description: string) =>
    ofAccount(program.command(noun).description(description).command('create'))

  create('store', 'stores')
    .requiredOption('--slug <slug>', 'its name in the API; cannot be changed')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--locale <tag>', 'content language (BCP 47)')
    .requiredOption('--currency <code>', 'currency of its prices (ISO 4217)')
    .option('--lists-nothing', 'list only products that are listed by assortment rules or manually, instead of all')
    .action((options: Common & { slug: string; name: string; locale: string; currency: string; listsNothing?: true }) =>
      writeTo(options, async (tx) =>
        made(
          'store',
          await createStore(tx, options.account, { ...options, listsByDefault: options.listsNothing !== true }),
        ),
      ),
    )
  const supplier = create('supplier', 'suppliers')
    .requiredOption('--code <code>', 'short name, used by import --supplier')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--currency <code>', 'currency of its costs (ISO 4217)')
    .option('--priority <number>', 'lower is preferred', '100')
    .option('--safety-buffer <pieces>', 'subtracted from every reported quantity', '0')
  withLimits(supplier).action((options: NewSupplierOptions) =>
    writeTo(options, async (tx) =>
      made(
        'supplier',
        await createSupplier(tx, options.account, {
          code: options.code,
          name: options.name,
          currency: options.currency,
          priority: wholeNumber('--priority', options.priority),
          safetyBuffer: wholeNumber('--safety-buffer', options.safetyBuffer),
          ...limitsOf(options),
        }),
      ),
    ),
  )
  const supplierEdit = editing(program, 'supplier', '--supplier <code>')
    .option('--name <name>', 'display name')
    .option('--priority <number>', 'lower is preferred')
    .option('--safety-buffer <pieces>', 'subtracted from every reported quantity')
    .option('--active', 'use its offers again')
    .option('--no-active', 'do not use its offers; its texts are used where no other supplier has one')
  withLimits(supplierEdit).action(
    (
      options: Common &
        LimitOptions & {
          supplier: string
          name?: string
          priority?: string
          safetyBuffer?: string
          active?: boolean
        },
    ) =>
      writeTo(options, async (tx) => {
        const { supplierId } = await named(tx, options.account, SUPPLIER, options.supplier)
        const written = await editSupplier(
          tx,
          options.account,
          supplierId,
          given({
            name: options.name,
            priority: options.priority === undefined ? undefined : wholeNumber('--priority', options.priority),
            safetyBuffer:
              options.safetyBuffer === undefined ? undefined : wholeNumber('--safety-buffer', options.safetyBuffer),
            isActive: options.active,
            ...limitsOf(options),
          }),
        )
        return changed('supplier', supplierId, written)
      }),
  )
  ofAccount(noun(program, 'supplier').command('order'))
    .description(
      'set the source order of a field: these suppliers come first, the others follow by priority; no codes: delete it',
    )
    .argument('[codes...]', 'suppliers’ codes')
    .requiredOption('--field <field>', SOURCE_FIELDS.join(', '))
    .action((codes: string[], options: Common & { field: string }) =>
      writeTo(options, async (tx) => {
        const supplierIds = (await idsNamed(tx, options.account, SUPPLIER, codes)) ?? []
        return printed(
          await setSourceOrder(tx, options.account, options.field as SourceField, supplierIds),
          { field: options.field, suppliers: codes },
          `the ${options.field} is taken from ${codes.length === 0 ? 'suppliers by priority' : codes.join(', ')}`,
        )
      }),
    )
  editing(program, 'store', '--store <slug>')
    .option('--name <name>', 'display name')
    .option('--locale <tag>', 'content language (BCP 47)')
    .option('--currency <code>', 'currency of its prices (ISO 4217)')
    .option('--active', 'activate it again')
    .option('--no-active', 'deactivate it: it cannot be read and is not updated')
    .option('--lists-everything', 'list all products except those unlisted by assortment rules or manually')
    .option('--lists-nothing', 'list only products that are listed by assortment rules or manually')
    .action(
      (
        options: Common & {
          store: string
          name?: string
          locale?: string
          currency?: string
          active?: boolean
          listsEverything?: true
          listsNothing?: true
        },
      ) =>
        writeTo(options, async (tx) => {
          const { storeId } = await named(tx, options.account, STORE, options.store)
          const listsByDefault = options.listsEverything ?? (options.listsNothing === true ? false : undefined)
          const written = await editStore(
            tx,
            options.account,
            storeId,
            given({
              name: options.name,
              locale: options.locale,
              currency: options.currency,
              isActive: options.active,
              listsByDefault,
            }),
          )
          return changed('store', storeId, written)
        }),
    )
  create('group', 'customer groups')
    .requiredOption('--name <name>', 'name')
    .action((options: Common & { name: string }) =>
      writeTo(options, async (tx) => made('customer_group', await createGroup(tx, options.account, options.name))),
    )
  ofAccount(program.command('rate').description('exchange rates').command('set').description('set exchange rates'))
    .argument('<rates...>', 'such as PLN=4.2875: units of PLN per unit of the account’s currency')
    .action((rates: string[], options: Common) =>
      writeTo(options, async (tx) => {
        const written = await setRates(tx, options.account, rates.map(rateArgument))
        return printed(written, { rates_set: rates.length }, `${rates.length} rates set`)
      }),
    )
  listing(noun(program, 'store'), 'stores', 'list the stores, the default one first', storesList, (row) => [
    row.storeId,
    row.slug,
    row.locale,
    row.currency,
    row.isDefault ? 'default' : row.isActive ? 'active' : 'inactive',
    row.name,
  ])
  listing(noun(program, 'supplier'), 'suppliers', 'list the suppliers', suppliersList, (row) => [
    row.supplierId,
    row.code,
    row.currency,
    row.priority,
    row.isActive ? 'active' : 'inactive',
    row.name,
  ])
  listing(noun(program, 'group'), 'groups', 'list the customer groups', groupsList, (row) => [
    row.groupId,
    row.isDefault ? 'default' : '',
    row.name,
  ])
  listing(noun(program, 'rate'), 'rates', 'list the exchange rates', ratesList, (row) => [row.currency, row.rate])
}

/** Options of what an import of a supplier may do without being confirmed, and of how long it may be silent. */
interface LimitOptions {
  zeroedShareMax?: string
  refusedShareMax?: string
  pricesLostShareMax?: string
  pricesZeroShareMax?: string
  silentDaysMax?: string
}

type NewSupplierOptions = Common &
  LimitOptions & { code: string; name: string; currency: string; priority: string; safetyBuffer: string }

function withLimits(command: Command): Command {
  return command
    .option('--zeroed-share-max <share>', 'hold an import that sets more than this share of the stock to 0 (0.5)')
    .option('--refused-share-max <share>', 'hold one of which more than this share of the rows is refused (0.25)')
    .option('--prices-lost-share-max <share>', 'hold one that leaves more than this share of the costs empty (0.5)')
    .option('--prices-zero-share-max <share>', 'hold one that sets more than this share of the costs to 0 (0.05)')
    .option('--silent-days-max <days>', 'a finding after so many days without an import; empty: never')
}

/** The limits that were given. */
function limitsOf({ silentDaysMax: days, ...rest }: LimitOptions): Partial<SupplierLimits> {
  const { zeroedShareMax, refusedShareMax, pricesLostShareMax, pricesZeroShareMax } = rest
  const silentDaysMax = days === '' ? null : days === undefined ? undefined : wholeNumber('--silent-days-max', days)
  return given({ zeroedShareMax, refusedShareMax, pricesLostShareMax, pricesZeroShareMax, silentDaysMax })
}

/** The existing command `name`, to which subcommands are added. */
function noun(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name)
  if (found === undefined) throw new Error(`there is no command ${name} yet`)
  return found
}

function editing(program: Command, name: string, id: string): Command {
  return ofAccount(
    noun(program, name).command('edit').description(`change the given fields of a ${name}`),
  ).requiredOption(id, name)
}

const changed = (name: string, id: number, written: Written) =>
  printed(written, { [`${name}_id`]: id }, `${name} ${id} changed`)

/** Splits `PLN=4.2875`; setRates checks both sides. */
function rateArgument(text: string): { currency: string; rate: string } {
  const at = text.indexOf('=')
  return at === -1 ? { currency: text, rate: '' } : { currency: text.slice(0, at), rate: text.slice(at + 1) }
}
