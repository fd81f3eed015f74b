import type { Command } from 'commander'
import { ADDITIONAL_MEMBER_NAMES, describeAdditionalMembers } from '../../../contract/additional-members.ts'
import { accountsList } from '../../accounts/accounts.sql.ts'
import { tokenRevoke, tokensList } from '../../accounts/tokens.sql.ts'
import type { Access } from '../../accounts/token.ts'
import { createToken } from '../../accounts/create-token.ts'
import { inTransaction } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { parseTimestamp } from '../../platform/time/timestamp.ts'
import { editAccount, openAccount } from '../../shelf/account.ts'
import { withRuntime } from '../console/run.ts'
import { withoutUndefined, idNumber, printed, writeTo, type Common } from '../console/write.ts'

/** Parses `--account`: the account's id, because names are not unique. */
export function accountOption(text: string): number {
  return idNumber('--account', text)
}

/** Adds the options that all commands on one account have. */
export function withAccountOptions(command: Command): Command {
  return command.requiredOption('--account <id>', 'account', accountOption).option('--json', 'print one JSON object')
}

function accessOption(text: string): Access {
  if (text === 'connector' || text === 'full') return text
  throw new ShelfwireError('invalid-input', `--access is connector or full, not "${text}"`)
}

const MEMBERS_HELP = `members of products in addition to those that all accounts read, separated by commas; empty: none. ${describeAdditionalMembers()}`

/** The names in a comma-separated list. */
const namesOf = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** @returns the command `account`, for further subcommands. */
export function accountCommands(program: Command): Command {
  const account = program.command('account').description('accounts')
  account
    .command('create')
    .description('create an account with its default store, customer group and pricing rule')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--currency <code>', 'currency in which costs are compared (ISO 4217)')
    .requiredOption('--locale <tag>', 'locale that texts fall back to (BCP 47)')
    .option('--time-zone <name>', 'IANA time zone', 'UTC')
    .option('--store <slug>', 'slug of the default store', 'main')
    .option('--store-name <name>', 'its name (default: the account’s)')
    .option('--store-locale <tag>', 'its locale (default: the account’s)')
    .option('--store-currency <code>', 'its currency (default: the account’s)')
    .option('--group <name>', 'name of the default customer group', 'Retail')
    .option('--markup <percent>', 'markup of the default pricing rule', '25')
    .option('--additional-members <names>', `${MEMBERS_HELP} (default: all)`)
    .option('--json', 'print one JSON object')
    .action((options: Record<string, string> & { json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { name = '', currency = '', locale = '' } = options
        const opened = await inTransaction(runtime.db, (tx) =>
          openAccount(tx, {
            name,
            currency,
            locale,
            timeZone: options['timeZone'] ?? 'UTC',
            store: {
              slug: options['store'] ?? 'main',
              name: options['storeName'] ?? name,
              locale: options['storeLocale'] ?? locale,
              currency: options['storeCurrency'] ?? currency,
            },
            group: options['group'] ?? 'Retail',
            markupPercent: options['markup'] ?? '25',
            additionalMembers: namesOf(options['additionalMembers']) ?? ADDITIONAL_MEMBER_NAMES,
          }),
        )
        await runtime.shelf.drain(opened.accountId)
        printer.result(
          { account_id: opened.accountId, store_id: opened.storeId },
          `account ${opened.accountId} "${name}" created; create a token with: shelfwire token create --account ${opened.accountId} --access connector`,
        )
      }),
    )
  account
    .command('edit')
    .description('change settings of an account')
    .requiredOption('--account <id>', 'account', accountOption)
    .option('--name <name>', 'name')
    .option('--locale <tag>', 'locale that texts fall back to (BCP 47)')
    .option('--time-zone <name>', 'IANA time zone')
    .option(
      '--sku-pattern <pattern>',
      'exported SKU, such as {supplier_code|upper}-{supplier_sku}; empty: the product’s own key',
    )
    .option('--any-locale', 'take a text that neither the store’s locale nor the account’s has from any other locale')
    .option('--no-any-locale', 'leave such texts out')
    .option('--price-jump-factor <number>', 'hold prices that change by more than this factor; empty: hold none')
    .option('--adopt-images', 'keep copies of pictures whose source is dead as the account’s own')
    .option('--no-adopt-images', 'leave them out after 30 days')
    .option('--additional-members <names>', MEMBERS_HELP)
    .option('--rates-from <where>', 'hand, or ecb: exchange rates follow the European Central Bank’s')
    .option('--rates-least-change <percent>', 'a rate of the bank that differs less is not taken over')
    .option('--rates-greatest-change <percent>', 'a rate of the bank that differs more is held')
    .option('--json', 'print one JSON object')
    .action(
      (
        options: Common & {
          name?: string
          locale?: string
          timeZone?: string
          anyLocale?: boolean
          skuPattern?: string
          priceJumpFactor?: string
          adoptImages?: boolean
          additionalMembers?: string
          ratesFrom?: string
          ratesLeastChange?: string
          ratesGreatestChange?: string
        },
      ) =>
        writeTo(options, async (tx) => {
          const orNull = (text: string | undefined) => (text === '' ? null : text)
          const written = await editAccount(
            tx,
            options.account,
            withoutUndefined({
              name: options.name,
              locale: options.locale,
              timeZone: options.timeZone,
              anyLocale: options.anyLocale,
              skuPattern: orNull(options.skuPattern),
              priceJumpFactor: orNull(options.priceJumpFactor),
              adoptImages: options.adoptImages,
              additionalMembers: namesOf(options.additionalMembers),
              ratesFrom: options.ratesFrom,
              ratesLeastChangePercent: options.ratesLeastChange,
              ratesGreatestChangePercent: options.ratesGreatestChange,
            }),
          )
          return printed(written, { account_id: options.account }, `account ${options.account} changed`)
        }),
    )
  account
    .command('list')
    .description('list accounts')
    .option('--json', 'print one JSON object')
    .action((options: { json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const accounts = await accountsList(runtime.db)
        printer.result(
          { accounts },
          accounts
            .map((row) =>
              [
                row.accountId,
                row.name,
                row.currency,
                row.locale,
                ...(row.suspendedAt === null ? [] : ['suspended']),
              ].join('\t'),
            )
            .join('\n'),
        )
      }),
    )
  tokenCommands(program)
  return account
}

function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens')
  token
    .command('create')
    .description('create a token; it is shown once')
    .option('--account <id>', 'account it belongs to', accountOption)
    .option('--unbound', 'a token that belongs to no account')
    .requiredOption('--access <level>', 'connector (read) or full (read and write)', accessOption)
    .option(
      '--without-costs',
      'leave purchase prices (base_cost) out of all answers; for shops, with --access connector',
    )
    .option('--name <name>', 'what it is for')
    .option('--expires <timestamp>', 'RFC 3339 timestamp (default: never)')
    .option('--json', 'print one JSON object')
    .action(
      (options: {
        account?: number
        unbound?: true
        access: Access
        withoutCosts?: true
        name?: string
        expires?: string
        json?: true
      }) =>
        withRuntime(options, async ({ runtime, printer }) => {
          if ((options.account === undefined) === (options.unbound === undefined)) {
            throw new ShelfwireError('invalid-input', 'give either --account ID or --unbound')
          }
          const expiresAt = options.expires === undefined ? null : parseTimestamp(options.expires)
          if (options.expires !== undefined && expiresAt === null) {
            throw new ShelfwireError(
              'invalid-input',
              '--expires takes a timestamp with offset such as 2027-01-31T00:00:00+00:00',
            )
          }
          const seesCosts = options.withoutCosts === undefined
          if (!seesCosts && options.access === 'full')
            throw new ShelfwireError(
              'invalid-input',
              '--without-costs needs --access connector: full access reads offers and their costs',
            )
          const made = await inTransaction(runtime.db, (tx) =>
            createToken(tx, {
              accountId: options.account ?? null,
              access: options.access,
              seesCosts,
              expiresAt,
              ...(options.name === undefined ? {} : { name: options.name }),
            }),
          )
          printer.note('This is the only time the token is shown:')
          printer.result(
            { token_id: made.tokenId, token: made.token, access: options.access, sees_costs: seesCosts },
            made.token,
          )
        }),
    )
  token
    .command('revoke')
    .description('revoke a token at once')
    .argument('<token_id>', 'id of the token, as shown by token list')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const tokenId = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
        const revoked = await inTransaction(runtime.db, (tx) => tokenRevoke(tx, tokenId))
        if (revoked === undefined) throw new ShelfwireError('unknown-reference', `there is no live token ${id}`)
        runtime.wake.notify('directory', revoked.accountId ?? 0)
        printer.result({ token_id: tokenId, revoked: true }, `token ${id} revoked`)
      }),
    )
  token
    .command('list')
    .description('list the tokens of an account')
    .requiredOption('--account <id>', 'account', accountOption)
    .option('--json', 'print one JSON object')
    .action((options: { account: number; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const tokens = await tokensList(runtime.db, options.account)
        printer.result(
          { tokens },
          tokens
            .map((row) =>
              [
                row.tokenId,
                row.access,
                row.name,
                row.revokedAt === null ? 'live' : 'revoked',
                row.lastUsedAt?.toISOString() ?? 'never used',
                ...(row.seesCosts ? [] : ['without costs']),
              ].join('\t'),
            )
            .join('\n'),
        )
      }),
    )
}
