import type { Command } from 'commander'
import { describeMember, EXCLUSION_KINDS, type ExclusionKind } from '../../contract/exclusion-kinds.ts'
import { createAssortmentRule, deleteAssortmentRule } from '../catalog/settings/assortment-rules.ts'
import { assortmentRulesList } from '../catalog/settings/assortment-rules.sql.ts'
import { createExclusionRule, deleteExclusionRule } from '../catalog/settings/exclusion-rules.ts'
import { exclusionRulesList } from '../catalog/settings/exclusion-rules.sql.ts'
import { pricingRulesList } from '../catalog/settings/pricing-rules.sql.ts'
import { createRule, deleteRule, editRule, type PricingRuleChanges } from '../catalog/settings/pricing-rules.ts'
import type { Written } from '../catalog/stale/written.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { RoundingInput } from '../resolve/inputs.ts'
import { ofAccount } from './accounts.ts'
import { listing } from './listing.ts'
import { GROUP, idsNamed, named, STORE, SUPPLIER } from './named.ts'
import { given, idNumber, idNumbers, made, printed, wholeNumber, writeTo, type Common } from './write.ts'

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

/** Commands for the three kinds of rules: pricing, exclusion and assortment. */
export function ruleCommands(program: Command): void {
  pricingCommands(program.command('rule').description('pricing rules'))
  exclusionCommands(program.command('exclusion').description('rules that exclude products from stores'))
  assortmentCommands(program.command('assortment').description('rules that list products in a store or unlist them'))
}

const pricingOptions = (command: Command) =>
  ofAccount(command)
    .option('--markup <percent>', 'percent added to the cost')
    .option('--margin <percent>', 'profit as a percentage of the price')
    .option('--fixed-price <amount>', 'a fixed price; 0 gives the product away')
    .option('--add <amount>', 'added to the price; may be negative')
    .option('--floor-margin <percent>', 'lowest margin')
    .option('--floor-profit <amount>', 'lowest difference between price and cost')
    .option('--floor-price <amount>', 'lowest price')
    .option('--ceiling-price <amount>', 'highest price; a floor above it takes precedence')
    .option('--currency <code>', 'currency of these amounts (default: the account’s)')
    .option(
      '--round <currency=step...>',
      'CURRENCY=STEP[+ENDING][:up|down|nearest]: EUR=1+0.99:up rounds up to the next .99, CHF=0.05 to the nearest 0.05',
    )
    .option('--priority <number>', 'lower is tried first')
    .option('--store <slug...>', 'only these stores')
    .option('--group <name...>', 'only these customer groups')
    .option('--product <id...>', 'only these products')
    .option('--supplier <code...>', 'only costs of these suppliers')
    .option('--manufacturer <name...>', 'only these manufacturers')
    .option('--category <path...>', 'only these categories and those below them')
    .option('--cost-min <amount>', 'only costs of at least this, in the account’s currency')
    .option('--cost-below <amount>', 'only costs below this')
    .option('--valid-from <day>', 'first day, such as 2026-11-27, in the account’s time zone')
    .option('--valid-to <day>', 'last day')

function pricingCommands(rule: Command): void {
  pricingOptions(rule.command('create').description('create a pricing rule'))
    .requiredOption('--name <name>', 'name')
    .action((options: RuleOptions & { name: string }) =>
      writeTo(options, async (tx) =>
        made(
          'rule',
          await createRule(tx, options.account, { ...(await pricingFields(tx, options)), name: options.name }),
        ),
      ),
    )
  pricingOptions(
    rule.command('edit').description('change the given fields of a pricing rule').argument('<rule_id>', 'rule'),
  )
    .option('--name <name>', 'name')
    .option('--active', 'activate it again')
    .option('--no-active', 'deactivate it')
    .action((id: string, options: RuleOptions) =>
      writeTo(options, async (tx) => {
        const ruleId = idNumber('rule_id', id)
        const written = await editRule(tx, options.account, ruleId, {
          ...(await pricingFields(tx, options)),
          ...given({ name: options.name, isActive: options.active }),
        })
        return printed(written, { rule_id: ruleId }, `rule ${ruleId} changed`)
      }),
    )
  deleting(rule, (tx, accountId, ruleId) => deleteRule(tx, accountId, ruleId))
  listing(rule, 'rules', 'list the rules', pricingRulesList, (row) => [
    row.ruleId,
    row.priority,
    row.isDefault ? 'default' : row.isActive ? 'active' : 'inactive',
    row.name,
  ])
}

async function pricingFields(tx: Tx, options: RuleOptions): Promise<PricingRuleChanges> {
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
    storeIds: await idsNamed(tx, options.account, STORE, options.store),
    groupIds: await idsNamed(tx, options.account, GROUP, options.group),
    productIds: idNumbers('--product', options.product),
    supplierIds: await idsNamed(tx, options.account, SUPPLIER, options.supplier),
    manufacturers: options.manufacturer,
    categories: options.category,
    costMin: options.costMin,
    costBelow: options.costBelow,
    validFrom: options.validFrom,
    validTo: options.validTo,
  })
}

/** Splits `EUR=1+0.99:up`; createRule checks the amounts. */
function roundArgument(text: string): [string, RoundingInput] {
  const match = /^([^=]*)=([^+:]*)(?:\+([^:]*))?(?::(.*))?$/.exec(text)
  if (match === null)
    throw new ShelfwireError(
      'invalid-input',
      `--round takes a currency and a step such as EUR=1+0.99:up, not "${text}"`,
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
  ofAccount(exclusion.command('create').description('create an exclusion rule'))
    .requiredOption('--name <name>', 'name')
    .requiredOption('--kind <kind>', EXCLUSION_KINDS.join(', '))
    .option('--reason <text>', 'what clients read; the kind when left out')
    .option('--priority <number>', 'lower is tried first', '100')
    .option('--store <slug...>', 'only these stores')
    .option('--value <name...>', describeMember('names'))
    .option('--supplier <code...>', describeMember('supplier_ids'))
    .option('--amount <number>', describeMember('amount'))
    .option('--currency <code>', 'of an amount that is a price; the account’s when left out')
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
              storeIds: await idsNamed(tx, options.account, STORE, options.store),
              names: options.value,
              supplierIds: await idsNamed(tx, options.account, SUPPLIER, options.supplier),
              amount: options.amount,
              currency: options.currency,
            }),
          }),
        ),
      ),
    )
  deleting(exclusion, (tx, accountId, ruleId) => deleteExclusionRule(tx, accountId, ruleId))
  listing(exclusion, 'rules', 'list the rules', exclusionRulesList, (row) => [
    row.ruleId,
    row.priority,
    row.isActive ? 'active' : 'inactive',
    row.kind,
    row.name,
  ])
}

function assortmentCommands(assortment: Command): void {
  ofAccount(assortment.command('create').description('create an assortment rule'))
    .requiredOption('--store <slug>', 'store')
    .requiredOption('--name <name>', 'name')
    .option('--unlist', 'unlist matching products instead of listing them')
    .option('--priority <number>', 'lower is tried first', '100')
    .option('--supplier <code...>', 'products with an offer of any of these suppliers')
    .option('--manufacturer <name...>', 'these manufacturers')
    .option('--category <path...>', 'these categories and those below them')
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
              storeId: (await named(tx, options.account, STORE, options.store)).storeId,
              name: options.name,
              isListed: options.unlist !== true,
              priority: wholeNumber('--priority', options.priority),
              ...given({
                supplierIds: await idsNamed(tx, options.account, SUPPLIER, options.supplier),
                manufacturers: options.manufacturer,
                categories: options.category,
              }),
            }),
          ),
        ),
    )
  deleting(assortment, (tx, accountId, ruleId) => deleteAssortmentRule(tx, accountId, ruleId))
  listing(assortment, 'rules', 'list the rules', assortmentRulesList, (row) => [
    row.ruleId,
    row.storeId,
    row.priority,
    row.isListed ? 'lists' : 'unlists',
    row.name,
  ])
}

function deleting(
  noun: Command,
  work: (tx: Parameters<typeof deleteRule>[0], accountId: number, ruleId: number) => Promise<Written>,
): void {
  ofAccount(noun.command('delete').description('delete a rule').argument('<rule_id>', 'rule')).action(
    (id: string, options: Common) =>
      writeTo(options, async (tx) => {
        const ruleId = idNumber('rule_id', id)
        const written = await work(tx, options.account, ruleId)
        return printed(written, { rule_id: ruleId, deleted: true }, `rule ${ruleId} deleted`)
      }),
  )
}
