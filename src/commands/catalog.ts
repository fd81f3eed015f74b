import type { Command } from 'commander'
import { createGroup } from '../catalog/settings/groups.ts'
import { setRates } from '../catalog/settings/rates.ts'
import { setSourceOrder } from '../catalog/settings/source-orders.ts'
import { createStore, editStore } from '../catalog/settings/stores.ts'
import { suppliersList } from '../catalog/settings/suppliers.sql.ts'
import { createSupplier, editSupplier } from '../catalog/settings/suppliers.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { SourceField } from '../resolve/inputs.ts'
import { ofAccount } from './accounts.ts'
import { given, idNumber, made, wholeNumber, writeTo, type Common } from './write.ts'

/** Commands that set an account up; each goes through the same function as every other way in. */
export function catalogCommands(program: Command): void {
  const create = (noun: string, words: string) => ofAccount(program.command(noun).description(words).command('create'))

  create('store', 'stores')
    .requiredOption('--slug <slug>', 'what the API calls it; never changes')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--locale <tag>', 'content language (BCP 47)')
    .requiredOption('--currency <code>', 'currency of its prices (ISO 4217)')
    .option('--lists-nothing', 'list only what assortment rules or the hand say, instead of every product')
    .action((options: Common & { slug: string; name: string; locale: string; currency: string; listsNothing?: true }) =>
      writeTo(options, async (tx) =>
        made(
          'store',
          await createStore(tx, options.account, { ...options, listsByDefault: options.listsNothing !== true }),
        ),
      ),
    )
  create('supplier', 'suppliers')
    .requiredOption('--code <code>', 'short name, used by import --supplier')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--currency <code>', 'currency of its costs (ISO 4217)')
    .option('--priority <number>', 'lower goes first', '100')
    .option('--safety-buffer <pieces>', 'taken off every reported quantity', '0')
    .action(
      (options: Common & { code: string; name: string; currency: string; priority: string; safetyBuffer: string }) =>
        writeTo(options, async (tx) =>
          made(
            'supplier',
            await createSupplier(tx, options.account, {
              code: options.code,
              name: options.name,
              currency: options.currency,
              priority: wholeNumber('--priority', options.priority),
              safetyBuffer: wholeNumber('--safety-buffer', options.safetyBuffer),
            }),
          ),
        ),
    )
  editing(program, 'supplier', '--supplier <id>')
    .option('--name <name>', 'display name')
    .option('--priority <number>', 'lower goes first')
    .option('--safety-buffer <pieces>', 'taken off every reported quantity')
    .option('--active', 'let its offers compete again')
    .option('--no-active', 'leave its offers out; its texts are used where nobody else has any')
    .action(
      (
        options: Common & {
          supplier: string
          name?: string
          priority?: string
          safetyBuffer?: string
          active?: boolean
        },
      ) =>
        writeTo(options, async (tx) => {
          const supplierId = idNumber('--supplier', options.supplier)
          await editSupplier(
            tx,
            options.account,
            supplierId,
            given({
              name: options.name,
              priority: options.priority === undefined ? undefined : wholeNumber('--priority', options.priority),
              safetyBuffer:
                options.safetyBuffer === undefined ? undefined : wholeNumber('--safety-buffer', options.safetyBuffer),
              isActive: options.active,
            }),
          )
          return changed('supplier', supplierId)
        }),
    )
  ofAccount(noun(program, 'supplier').command('order'))
    .description(
      'which suppliers are asked first for a field; the others follow by priority; none takes the order away',
    )
    .argument('[codes...]', 'suppliers’ codes')
    .requiredOption('--field <field>', 'title, description, manufacturer, category, images, attributes, ean or sku')
    .action((codes: string[], options: Common & { field: string }) =>
      writeTo(options, async (tx) => {
        const known = new Map((await suppliersList(tx, options.account)).map((row) => [row.code, row.supplierId]))
        const supplierIds = codes.map((code) => {
          const id = known.get(code)
          if (id === undefined) throw new ShelfwireError('unknown-supplier', `the account has no supplier «${code}»`)
          return id
        })
        await setSourceOrder(tx, options.account, options.field as SourceField, supplierIds)
        return {
          fields: { field: options.field, suppliers: codes },
          text: `the ${options.field} is taken from ${codes.length === 0 ? 'suppliers by priority' : codes.join(', ')}`,
        }
      }),
    )
  editing(program, 'store', '--store <id>')
    .option('--name <name>', 'display name')
    .option('--locale <tag>', 'content language (BCP 47)')
    .option('--currency <code>', 'currency of its prices (ISO 4217)')
    .option('--active', 'open it again')
    .option('--no-active', 'close it; it is neither read nor shelved')
    .option('--lists-everything', 'list every product unless a rule or the hand says otherwise')
    .option('--lists-nothing', 'list only what assortment rules or the hand say')
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
          const storeId = idNumber('--store', options.store)
          const listsByDefault = options.listsEverything ?? (options.listsNothing === true ? false : undefined)
          await editStore(
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
          return changed('store', storeId)
        }),
    )
  create('group', 'customer groups')
    .requiredOption('--name <name>', 'name')
    .action((options: Common & { name: string }) =>
      writeTo(options, async (tx) => made('customer_group', await createGroup(tx, options.account, options.name))),
    )
  ofAccount(program.command('rate').description('exchange rates').command('set'))
    .argument('<rates...>', 'such as PLN=4.2875: units of it per one unit of the account’s currency')
    .action((rates: string[], options: Common) =>
      writeTo(options, async (tx) => {
        await setRates(tx, options.account, rates.map(rateArgument))
        return { fields: { rates_set: rates.length }, text: `${rates.length} rates are set` }
      }),
    )
}

/** The command of a noun that another command of it has made. */
function noun(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name)
  if (found === undefined) throw new Error(`there is no command ${name} yet`)
  return found
}

function editing(program: Command, name: string, id: string): Command {
  return ofAccount(noun(program, name).command('edit').description(`change what is given of a ${name}`)).requiredOption(
    id,
    name,
  )
}

const changed = (name: string, id: number) => ({ fields: { [`${name}_id`]: id }, text: `${name} ${id} is changed` })

/** `PLN=4.2875`; what is wrong with either side is said by setRates. */
function rateArgument(text: string): { currency: string; rate: string } {
  const at = text.indexOf('=')
  return at === -1 ? { currency: text, rate: '' } : { currency: text.slice(0, at), rate: text.slice(at + 1) }
}
