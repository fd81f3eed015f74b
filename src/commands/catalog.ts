import type { Command } from 'commander'
import { accountGet } from '../accounts/store.ts'
import { createGroup, createRule, setRates } from '../catalog/settings/write.ts'
import { createStore } from '../catalog/stores/write.ts'
import { createSupplier } from '../catalog/suppliers/write.ts'
import type { Tx } from '../db/sql.ts'
import { HouseError } from '../ground/errors.ts'
import { accountOption } from './accounts.ts'
import { withHouse } from './run.ts'

interface Common {
  account: number
  json?: true
}

/** Commands that set an account up; each goes through the same function as every other way in. */
export function catalogCommands(program: Command): void {
  const create = (noun: string, words: string) =>
    program
      .command(noun)
      .description(words)
      .command('create')
      .requiredOption('--account <id>', 'account', accountOption)
      .option('--json', 'print one JSON object')

  create('store', 'stores')
    .requiredOption('--slug <slug>', 'what the API calls it; never changes')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--locale <tag>', 'content language (BCP 47)')
    .requiredOption('--currency <code>', 'currency of its prices (ISO 4217)')
    .action((options: Common & { slug: string; name: string; locale: string; currency: string }) =>
      write(options, 'store', (tx) => createStore(tx, options.account, options)),
    )
  create('supplier', 'suppliers')
    .requiredOption('--code <code>', 'short name, used by import --supplier')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--currency <code>', 'currency of its costs (ISO 4217)')
    .option('--priority <number>', 'lower goes first', '100')
    .option('--safety-buffer <pieces>', 'taken off every reported quantity', '0')
    .action((options: Common & { code: string; name: string; currency: string; priority: string; safetyBuffer: string }) =>
      write(options, 'supplier', (tx) =>
        createSupplier(tx, options.account, {
          code: options.code,
          name: options.name,
          currency: options.currency,
          priority: wholeNumber('--priority', options.priority),
          safetyBuffer: wholeNumber('--safety-buffer', options.safetyBuffer),
        }),
      ),
    )
  create('group', 'customer groups')
    .requiredOption('--name <name>', 'name')
    .action((options: Common & { name: string }) => write(options, 'customer_group', (tx) => createGroup(tx, options.account, options.name)))
  create('rule', 'pricing rules')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--markup <percent>', 'on top of the cost')
    .option('--priority <number>', 'lower is tried first', '100')
    .option('--store <id>', 'only this store')
    .option('--group <id>', 'only this customer group')
    .action((options: Common & { name: string; markup: string; priority: string; store?: string; group?: string }) =>
      write(options, 'rule', (tx) =>
        createRule(tx, options.account, {
          name: options.name,
          markupPercent: options.markup,
          priority: wholeNumber('--priority', options.priority),
          storeId: options.store === undefined ? null : wholeNumber('--store', options.store),
          groupId: options.group === undefined ? null : wholeNumber('--group', options.group),
        }),
      ),
    )
  program
    .command('rate')
    .description('exchange rates')
    .command('set')
    .requiredOption('--account <id>', 'account', accountOption)
    .option('--json', 'print one JSON object')
    .argument('<rates...>', 'such as PLN=4.2875: units of it per one unit of the account’s currency')
    .action((rates: string[], options: Common) =>
      write(options, 'rates', async (tx) => {
        await setRates(tx, options.account, rates.map(rateArgument))
        return rates.length
      }),
    )
}

/** `PLN=4.2875`; what is wrong with either side is said by setRates. */
function rateArgument(text: string): { currency: string; rate: string } {
  const at = text.indexOf('=')
  return at === -1 ? { currency: text, rate: '' } : { currency: text.slice(0, at), rate: text.slice(at + 1) }
}

async function write(options: Common, noun: string, work: (tx: Tx) => Promise<number>): Promise<void> {
  await withHouse(options.json, async ({ house, printer }) => {
    if ((await accountGet(house.db, options.account)) === undefined) throw new HouseError('unknown-account', `there is no account ${options.account}`)
    let id = 0
    await house.shelf.write(options.account, async (tx) => {
      id = await work(tx)
      return { productIds: [] }
    })
    house.wake.tell('directory', options.account)
    await house.shelf.drain(options.account)
    printer.result(noun === 'rates' ? { rates_set: id } : { [`${noun}_id`]: id }, noun === 'rates' ? `${id} rates are set` : `${noun.replace('_', ' ')} ${id} is made`)
  })
}

function wholeNumber(name: string, text: string): number {
  if (!/^-?\d{1,12}$/.test(text)) throw new HouseError('invalid-input', `${name} takes a whole number, not «${text}»`)
  return Number(text)
}
