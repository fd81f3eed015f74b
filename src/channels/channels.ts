import { Check } from '../input/check.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { groupsList } from '../catalog/settings/stores/groups.sql.ts'
import { storesList } from '../catalog/settings/stores/stores.sql.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { linkTemplateFault } from './link.ts'
import { channelSecretHash, newChannelSecret } from './secret.ts'
import {
  channelDelete,
  channelInsert,
  channelsList,
  channelSecretUpdate,
  channelUpdate,
  type ChannelFormat,
  type ChannelRow,
} from './channels.sql.ts'

export interface NewChannel {
  /** Slug of an active store. */
  store: string
  name: string
  format: ChannelFormat
  /** The customer group whose prices are shown; null: the default one, whichever that is. */
  groupId: number | null
  /** The URL of a product's page in the shop, with {sku}, {id} and {ean}; null: the file has no links. */
  linkTemplate: string | null
}

export type ChannelChanges = Partial<Pick<NewChannel, 'name' | 'groupId' | 'linkTemplate'>>

/**
 * Creates a channel file. Its secret is returned once; only a hash of it is stored.
 * @throws ShelfwireError invalid-input, unknown-store, unknown-reference, or conflict at the limit.
 */
export async function createChannel(
  tx: Tx,
  accountId: number,
  input: NewChannel,
): Promise<{ channelId: number; secret: string }> {
  const wanted = checked(input)
  // under the lock, because the limit is checked on all of the account's channel files
  await settingsLock(tx, accountId)
  if ((await channelsList(tx, accountId)).length >= LIMITS.channelFilesPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.channelFilesPerAccountMax} channel files; delete one first`,
    )
  }
  const store = (await storesList(tx, accountId)).find((row) => row.slug === input.store && row.isActive)
  if (store === undefined) {
    throw new ShelfwireError('unknown-store', `the account has no active store "${input.store.slice(0, 80)}"`, {
      faults: [{ name: 'store', reason: 'is not an active store of the account' }],
    })
  }
  await requireGroup(tx, accountId, input.groupId)
  const secret = newChannelSecret()
  const { storeId } = store
  const channelId = await channelInsert(tx, accountId, { ...wanted, storeId, secretHash: channelSecretHash(secret) })
  return { channelId, secret }
}

/** Sets the given members; store and format never change. @throws ShelfwireError invalid-input, unknown-reference. */
export async function editChannel(
  tx: Tx,
  accountId: number,
  channelId: number,
  changes: ChannelChanges,
): Promise<void> {
  const wanted = checked(changes)
  await settingsLock(tx, accountId)
  const current = (await channelsList(tx, accountId)).find((row) => row.channelId === channelId)
  if (current === undefined) throw missing(channelId)
  if (changes.groupId !== undefined) await requireGroup(tx, accountId, changes.groupId)
  const next: ChannelRow = { ...current, ...wanted }
  await channelUpdate(tx, accountId, {
    channelId,
    name: next.name,
    groupId: next.groupId,
    linkTemplate: next.linkTemplate,
  })
}

/** Gives a channel file a new secret; the old one stops working at once. @throws ShelfwireError unknown-reference. */
export async function rotateChannel(tx: Tx, accountId: number, channelId: number): Promise<string> {
  const secret = newChannelSecret()
  if (!(await channelSecretUpdate(tx, accountId, channelId, channelSecretHash(secret)))) throw missing(channelId)
  return secret
}

/** Deletes a channel file; its address stops working at once. @throws ShelfwireError unknown-reference. */
export async function deleteChannel(tx: Tx, accountId: number, channelId: number): Promise<void> {
  if (!(await channelDelete(tx, accountId, channelId))) throw missing(channelId)
}

/** Validates a channel file. @returns its stored form. */
function checked<T extends Partial<NewChannel>>(input: T): T {
  const check = new Check()
  const wanted = { ...input }
  if (input.name !== undefined) wanted.name = check.text('name', input.name, LIMITS.nameLengthMax)
  if (input.format !== undefined)
    check.that(['google', 'csv'].includes(input.format), 'format', 'must be google or csv')
  if (input.linkTemplate !== undefined && input.linkTemplate !== null) {
    const fault = linkTemplateFault(input.linkTemplate)
    if (fault !== null) check.that(false, 'link_template', fault)
  }
  check.done('channel file')
  return wanted
}

async function requireGroup(tx: Tx, accountId: number, groupId: number | null): Promise<void> {
  if (groupId === null || (await groupsList(tx, accountId)).some((group) => group.groupId === groupId)) return
  throw new ShelfwireError('unknown-reference', `the account has no customer group ${groupId}`, {
    faults: [{ name: 'group_id', reason: 'is not a customer group of the account' }],
  })
}

function missing(channelId: number): ShelfwireError {
  return new ShelfwireError('unknown-reference', `the account has no channel file ${channelId}`)
}
