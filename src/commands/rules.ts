import type { Command } from 'commander'
import { createAssortmentRule, deleteAssortmentRule } from '../catalog/settings/assortment-rules.ts'
import { assortmentRulesList } from '../catalog/settings/assortment-rules.sql.ts'
import { createExclusionRule, deleteExclusionRule } from '../catalog/settings/exclusion-rules.ts'
import { exclusionRulesList } from '../catalog/settings/exclusion-rules.sql.ts'
import { pricingRulesList } from '../catalog/settings/pricing-rules.sql.ts'
import { createRule, deleteRule, editRule, type PricingRuleChanges } from '../catalog/settings/pricing-rules.ts'
import type { Reader } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { ExclusionKind, RoundingInput } from '../resolve/inputs.ts'
import { ofAccount } from './accounts.ts'
import { withRuntime } from './run.ts'
import { given, idNumber, idNumbers, made, wholeNumber, writeTo, type Common } from './write.ts'

interface RuleOptions extends Common {
  name?: string
  markup?: string
  margin?: string
  fixedPrice?: string
  add?: string
  floorMargin?: string
  floorProfit?: string
  floorPrice?: string
  ceilingPrice?: string
  currency?: string
  round?: string[]
  priority?: string
  store?: string[]
  group?: string[]
  product?: string[]
  supplier?: string[]
  manufacturer?: string[]
  category?: string[]
  costMin?: string
  costBelow?: string
  validFrom?: string
  validTo?: string
  active?: boolean
}

/** Commands for the three kinds of rules; each goes through the same function as every other way in. */
export function ruleCommands(program: Command): void {
  pricingCommands(program.command('rule').description('pricing rules'))
  exclusionCommands(program.command('exclusion').description('rules that keep products out of stores’ exports'))
  assortmentCommands(program.command('assortment').description('rules that say which products a store lists'))
}

const pricingOptions = (command: Command) =>
  ofAccount(command)
    .option('--markup <percent>', 'percent of the cost on top of it')
    .option('--margin <percent>', 'percent of the price that is not cost')
    .option('--fixed-price <amount>', 'the price itself')
    .option('--add <amount>', 'added to the price, or taken off when negative')
    .option('--floor-margin <percent>', 'lowest margin')
    .option('--floor-profit <amount>', 'least that is left over the cost')
    .option('--floor-price <amount>', 'lowest price')
    .option('--ceiling-price <amount>', 'highest price; a floor above it wins')
    .option('--currency <code>', 'of these amounts; the account’s when left out')
    .option(
      '--round <currency=step...>',
      'CURRENCY=STEP[+ENDING][:up|down|nearest]: EUR=1+0.99:up ends in .99, CHF=0.05 goes to the nearest 0.05',
    )
    .option('--priority <number>', 'lower is tried first')
    .option('--store <id...>', 'only these stores')
    .option('--group <id...>', 'only these customer groups')
    .option('--product <id...>', 'only these products')
    .option('--supplier <id...>', 'only costs of these suppliers')
    .option('--manufacturer <name...>', 'only these manufacturers')
    .option('--category <path...>', 'only these categories and what lies below them')
    .option('--cost-min <amount>', 'only costs from here, in the account’s currency')
    .option('--cost-below <amount>', 'only costs below this')
    .option('--valid-from <day>', 'first day, as 2026-11-27, in the account’s time zone')
    .option('--valid-to <day>', 'last day')

function pricingCommands(rule: Command): void {
  pricingOptions(rule.command('create').description('make a pricing rule'))
    .requiredOption('--name <name>', 'name')
    .action((options: RuleOptions & { name: string }) =>
      writeTo(options, async (tx) =>
        made('rule', await createRule(tx, options.account, { ...pricingFields(options), name: options.name })),
      ),
    )
  pricingOptions(
    rule.command('edit').description('change what is given of a pricing rule').argument('<rule_id>', 'rule'),
  )
    .option('--name <name>', 'name')
    .option('--active', 'let it count again')
    .option('--no-active', 'let it rest')
    .action((id: string, options: RuleOptions) =>
      writeTo(options, async (tx) => {
        const ruleId = idNumber('rule_id', id)
        await editRule(tx, options.account, ruleId, {
          ...pricingFields(options),
          ...given({ name: options.name, isActive: options.active }),
        })
        return { fields: { rule_id: ruleId }, text: `rule ${ruleId} is changed` }
      }),
    )
  deleting(rule, (tx, accountId, ruleId) => deleteRule(tx, accountId, ruleId))
  listing(rule, pricingRulesList, (row) => [
    row.ruleId,
    row.priority,
    row.isDefault ? 'default' : row.isActive ? 'active' : 'resting',
    row.name,
  ])
}

function pricingFields(options: RuleOptions): PricingRuleChanges {
  const { markup, margin, fixedPrice } = options
  if ([markup, margin, fixedPrice].filter((value) => value !== undefined).length > 1) {
    throw new ShelfwireError('invalid-input', 'give one of --markup, --margin and --fixed-price')
  }
  return given({
    action:
      markup !== undefined
        ? ('markup' as const)
        : margin !== undefined
          ? ('margin' as const)
          : fixedPrice !== undefined
            ? ('fixed' as const)
            : undefined,
    percent: markup ?? margin,
    fixedPrice,
    addition: options.add,
    floorMarginPercent: options.floorMargin,
    floorProfit: options.floorProfit,
    floorPrice: options.floorPrice,
    ceilingPrice: options.ceilingPrice,
    currency: options.currency,
    rounding: options.round === undefined ? undefined : Object.fromEntries(options.round.map(roundArgument)),
    priority: options.priority === undefined ? undefined : wholeNumber('--priority', options.priority),
    storeIds: idNumbers('--store', options.store),
    groupIds: idNumbers('--group', options.group),
    productIds: idNumbers('--product', options.product),
    supplierIds: idNumbers('--supplier', options.supplier),
    manufacturers: options.manufacturer,
    categories: options.category,
    costMin: options.costMin,
    costBelow: options.costBelow,
    validFrom: options.validFrom,
    validTo: options.validTo,
  })
}

/** `EUR=1+0.99:up`; what is wrong with the amounts is said by createRule. */
function roundArgument(text: string): [string, RoundingInput] {
  const match = /^([^=]*)=([^+:]*)(?:\+([^:]*))?(?::(.*))?$/.exec(text)
  if (match === null)
    throw new ShelfwireError(
      'invalid-input',
      `--round takes a currency and a step such as EUR=1+0.99:up, not «${text}»`,
    )
  const [, currency = '', step = '', ending = '0', direction = 'nearest'] = match
  return [currency, { step, ending, direction: direction as RoundingInput['direction'] }]
}

interface ExclusionOptions extends Common {
  name: string
  kind: string
  reason?: string
  priority?: string
  store?: string[]
  value?: string[]
  supplier?: string[]
  amount?: string
  currency?: string
}

function exclusionCommands(exclusion: Command): void {
  ofAccount(exclusion.command('create').description('make an exclusion rule'))
    .requiredOption('--name <name>', 'name')
    .requiredOption(
      '--kind <kind>',
      'manufacturer, category, supplier, no_ean, no_title, no_image, no_price, no_stock, price_below, price_above, margin_below',
    )
    .option('--reason <text>', 'what clients read; the kind when left out')
    .option('--priority <number>', 'lower is tried first', '100')
    .option('--store <id...>', 'only these stores')
    .option('--value <name...>', 'manufacturers, or categories with what lies below them')
    .option('--supplier <id...>', 'suppliers of the best offer')
    .option('--amount <number>', 'price bound, or margin in percent')
    .option('--currency <code>', 'of a price bound; the account’s when left out')
    .action((options: ExclusionOptions) =>
      writeTo(options, async (tx) =>
        made(
          'exclusion_rule',
          await createExclusionRule(tx, options.account, {
            name: options.name,
            kind: options.kind as ExclusionKind,
            ...given({
              reason: options.reason,
              priority: options.priority === undefined ? undefined : wholeNumber('--priority', options.priority),
              storeIds: idNumbers('--store', options.store),
              names: options.value,
              supplierIds: idNumbers('--supplier', options.supplier),
              amount: options.amount,
              currency: options.currency,
            }),
          }),
        ),
      ),
    )
  deleting(exclusion, (tx, accountId, ruleId) => deleteExclusionRule(tx, accountId, ruleId))
  listing(exclusion, exclusionRulesList, (row) => [
    row.ruleId,
    row.priority,
    row.isActive ? 'active' : 'resting',
    row.kind,
    row.name,
  ])
}

function assortmentCommands(assortment: Command): void {
  ofAccount(assortment.command('create').description('make an assortment rule'))
    .requiredOption('--store <id>', 'store')
    .requiredOption('--name <name>', 'name')
    .option('--unlist', 'take what matches out of the store, instead of listing it')
    .option('--priority <number>', 'lower is tried first', '100')
    .option('--supplier <id...>', 'what any of these suppliers offers')
    .option('--manufacturer <name...>', 'these manufacturers')
    .option('--category <path...>', 'these categories and what lies below them')
    .action(
      (
        options: Common & {
          store: string
          name: string
          unlist?: true
          priority: string
          supplier?: string[]
          manufacturer?: string[]
          category?: string[]
        },
      ) =>
        writeTo(options, async (tx) =>
          made(
            'assortment_rule',
            await createAssortmentRule(tx, options.account, {
              storeId: idNumber('--store', options.store),
              name: options.name,
              isListed: options.unlist !== true,
              priority: wholeNumber('--priority', options.priority),
              ...given({
                supplierIds: idNumbers('--supplier', options.supplier),
                manufacturers: options.manufacturer,
                categories: options.category,
              }),
            }),
          ),
        ),
    )
  deleting(assortment, (tx, accountId, ruleId) => deleteAssortmentRule(tx, accountId, ruleId))
  listing(assortment, assortmentRulesList, (row) => [
    row.ruleId,
    row.storeId,
    row.priority,
    row.isListed ? 'lists' : 'unlists',
    row.name,
  ])
}

function deleting(
  noun: Command,
  work: (tx: Parameters<typeof deleteRule>[0], accountId: number, ruleId: number) => Promise<void>,
): void {
  ofAccount(noun.command('delete').description('delete a rule').argument('<rule_id>', 'rule')).action(
    (id: string, options: Common) =>
      writeTo(options, async (tx) => {
        const ruleId = idNumber('rule_id', id)
        await work(tx, options.account, ruleId)
        return { fields: { rule_id: ruleId, deleted: true }, text: `rule ${ruleId} is deleted` }
      }),
  )
}

function listing<Row>(
  noun: Command,
  list: (reader: Reader, accountId: number) => PromiseLike<readonly Row[]>,
  columns: (row: Row) => unknown[],
): void {
  ofAccount(noun.command('list').description('list the rules')).action((options: Common) =>
    withRuntime(options.json, async ({ runtime, printer }) => {
      const rules = await list(runtime.db, options.account)
      printer.result({ rules: [...rules] }, rules.map((row) => columns(row).join('\t')).join('\n'))
    }),
  )
}
