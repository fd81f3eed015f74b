import { GIVEN } from '../../../../contract/product-resources.ts'
import type { BodyOf } from '../../../../contract/route.ts'
import { GET_ACCOUNT, PATCH_ACCOUNT } from '../../../../contract/routes/account.ts'
import { accountGet, type AccountRow } from '../../../accounts/accounts.sql.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import type { Reader } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { editAccount } from '../../../shelf/account.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor } from '../../writing/answer-write.ts'
import { requireMatch } from '../../writing/preconditions.ts'
import { splitEchoedMembers, requireEchoed } from '../../writing/echoed.ts'
import { answerData } from '../answer-read.ts'
import { toDecimals } from '../decimals.ts'
import { toFields, toMembers } from '../member-names.ts'
import { refuse } from '../members.ts'

/** Values that null restores in a patch. */
const DEFAULTS = {
  time_zone: 'UTC',
  any_locale: false,
  sku_pattern: null,
  price_jump_factor: null,
  adopt_images: false,
  additional_members: [],
  rates_from: 'hand',
  rates_least_change_percent: '0.5',
  rates_greatest_change_percent: '10',
}

/** Members that are decimals. */
const DECIMALS = ['price_jump_factor', 'rates_least_change_percent', 'rates_greatest_change_percent'] as const

/** GET and PATCH /v1/account: settings of the whole account. */
export const settingsHandlers: Handlers = (app, context) => {
  handle(app, GET_ACCOUNT, async (call) => answerData(call, represent(await read(context.db, call.caller.accountId))))
  handle(app, PATCH_ACCOUNT, ({ body, request, reply }) => {
    const { members: patch, echoed } = splitEchoedMembers(body, GIVEN.account)
    const changes = changesOf(patch)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      await settingsLock(tx, accountId)
      const current = represent(await read(tx, accountId))
      requireMatch(request, current)
      requireEchoed('account', echoed, current)
      const written = await editAccount(tx, accountId, toFields(toDecimals(changes, DECIMALS)))
      return { ...waitFor(written), status: 200, data: represent(await read(tx, accountId)) }
    })
  })
}

type Patch = Omit<BodyOf<typeof PATCH_ACCOUNT>, (typeof GIVEN.account)[number]>

/** A patch with each null replaced by the default. */
function changesOf(patch: Patch) {
  const faults = Object.entries(patch).flatMap(([name, value]) =>
    value === null && !(name in DEFAULTS) ? [{ name, reason: 'is required and has no default' }] : [],
  )
  refuse(faults)
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [name, value ?? DEFAULTS[name as keyof typeof DEFAULTS]]),
  ) as {
    [Name in keyof Patch]: Name extends 'sku_pattern' | 'price_jump_factor' ? Patch[Name] : NonNullable<Patch[Name]>
  }
}

async function read(reader: Reader, accountId: number): Promise<AccountRow> {
  const row = await accountGet(reader, accountId)
  if (row === undefined) throw new ShelfwireError('unknown-account', 'the token’s account is gone')
  return row
}

function represent({ accountId, ...fields }: AccountRow) {
  return { id: accountId, ...toMembers(fields) }
}
