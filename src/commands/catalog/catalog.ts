import type { Command } from 'commander'
import { SOURCE_FIELDS, type SourceField } from '../../../contract/product-fields.ts'
import { setRates } from '../../catalog/settings/prices/rates.ts'
import { setSourceOrder } from '../../catalog/settings/suppliers/source-orders.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { idsNamed, SUPPLIER } from '../console/named.ts'
import { printed, writeTo, type Common } from '../console/write.ts'
import { must } from '../../platform/must.ts'

/** Commands that set several account resources at once; resources.ts has the others. */
export function catalogCommands(program: Command): void {
  const noun = (name: string) => must(program.commands.find((command) => command.name() === name))

  withAccountOptions(noun('supplier').command('order'))
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
  withAccountOptions(noun('rate').command('set').description('set exchange rates'))
    .argument('<rates...>', 'such as PLN=4.2875: units of PLN per unit of the account’s currency')
    .action((rates: string[], options: Common) =>
      writeTo(options, async (tx) => {
        const written = await setRates(tx, options.account, rates.map(rateArgument))
        return printed(written, { rates_set: rates.length }, `${rates.length} rates set`)
      }),
    )
}

/** Splits `PLN=4.2875`; setRates checks both sides. */
function rateArgument(text: string): { currency: string; rate: string } {
  const at = text.indexOf('=')
  return at === -1 ? { currency: text, rate: '' } : { currency: text.slice(0, at), rate: text.slice(at + 1) }
}
