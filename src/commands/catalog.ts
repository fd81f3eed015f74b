import type { Command } from 'commander'
import { createGroup, setRates } from '../catalog/settings/write.ts'
import { createStore } from '../catalog/stores/write.ts'
import { createSupplier } from '../catalog/suppliers/write.ts'
import { accountOption } from './accounts.ts'
import { made, wholeNumber, writeTo, type Common } from './write.ts'

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
    .option('--lists-nothing', 'list only what assortment rules or the hand say, instead of every product')
    .action((options: Common & { slug: string; name: string; locale: string; currency: string; listsNothing?: true }) =>
      writeTo(options, async (tx) => made('store', await createStore(tx, options.account, { ...options, listsByDefault: options.listsNothing !== true }))),
    )
  create('supplier', 'suppliers')
    .requiredOption('--code <code>', 'short name, used by import --supplier')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--currency <code>', 'currency of its costs (ISO 4217)')
    .option('--priority <number>', 'lower goes first', '100')
    .option('--safety-buffer <pieces>', 'taken off every reported quantity', '0')
    .action((options: Common & { code: string; name: string; currency: string; priority: string; safetyBuffer: string }) =>
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
  create('group', 'customer groups')
    .requiredOption('--name <name>', 'name')
    .action((options: Common & { name: string }) => writeTo(options, async (tx) => made('customer_group', await createGroup(tx, options.account, options.name))))
  program
    .command('rate')
    .description('exchange rates')
    .command('set')
    .requiredOption('--account <id>', 'account', accountOption)
    .option('--json', 'print one JSON object')
    .argument('<rates...>', 'such as PLN=4.2875: units of it per one unit of the account’s currency')
    .action((rates: string[], options: Common) =>
      writeTo(options, async (tx) => {
        await setRates(tx, options.account, rates.map(rateArgument))
        return { fields: { rates_set: rates.length }, text: `${rates.length} rates are set` }
      }),
    )
}

/** `PLN=4.2875`; what is wrong with either side is said by setRates. */
function rateArgument(text: string): { currency: string; rate: string } {
  const at = text.indexOf('=')
  return at === -1 ? { currency: text, rate: '' } : { currency: text.slice(0, at), rate: text.slice(at + 1) }
}
