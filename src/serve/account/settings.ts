import { AccountPatch, GIVEN } from '../../../contract/product-sources.ts'
import { accountGet, type AccountRow } from '../../accounts/accounts.sql.ts'
import { accountInputsLock } from '../../catalog/settings/account-inputs.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { editAccount } from '../../shelf/account.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'
import { refuse, toFields, toMembers, withDecimals } from './members.ts'

const readPatch = shapeReader(AccountPatch)
const DEFAULTS: Record<string, unknown> = { time_zone: 'UTC', sku_pattern: null, price_jump_factor: null }

/** GET and PATCH /v1/account: what holds for the whole account. */
export const accountSettings: Route = (app, context) => {
  app.get('/', async (request, reply) => {
    const body = sourceBody(represent(await read(context.db, callerOf(request).accountId)))
    return answer(request, reply, body, sourceTag(body))
  })
  app.patch('/', (request, reply) => {
    const { members: patch, echoed } = partEchoed(readPatch(request.body, 'account'), GIVEN.account)
    refuse(
      Object.entries(patch).flatMap(([name, value]) =>
        value === null && !(name in DEFAULTS) ? [{ name, reason: 'is required and has no default' }] : [],
      ),
    )
    const changes = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, value ?? DEFAULTS[name]]))
    return answerWrite(context, request, reply, async (tx, accountId) => {
      await accountInputsLock(tx, accountId)
      const current = represent(await read(tx, accountId))
      requireMatch(request, current)
      requireEchoed('account', echoed, current)
      await editAccount(tx, accountId, toFields(withDecimals(changes, ['price_jump_factor'])))
      return { status: 200, data: represent(await read(tx, accountId)), isForAll: true }
    })
  })
}

async function read(reader: Reader, accountId: number): Promise<AccountRow> {
  const row = await accountGet(reader, accountId)
  if (row === undefined) throw new ShelfwireError('unknown-account', 'the token’s account is gone')
  return row
}

function represent({ accountId, ...fields }: AccountRow) {
  return { id: accountId, ...toMembers(fields) }
}
