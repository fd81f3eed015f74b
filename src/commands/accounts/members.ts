import type { Command } from 'commander'
import { MEMBER_ROLES, membersList, type MemberRole } from '../../accounts/members.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { dropMember } from '../../people/members.ts'
import { linkAddress } from '../../people/mails/link-address.ts'
import { makeMember, makeMemberLink } from '../../people/links.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { withAccountOptions } from './accounts.ts'
import { addressOf } from '../console/named.ts'
import { withRuntime } from '../console/run.ts'
import { idNumber, type Common } from '../console/write.ts'

function roleOption(text: string): MemberRole {
  const role = MEMBER_ROLES.find((name) => name === text)
  if (role === undefined)
    throw new ShelfwireError('invalid-input', `--role is ${MEMBER_ROLES.join(' or ')}, not "${text}"`)
  return role
}

export function memberCommands(program: Command): void {
  const member = program
    .command('member')
    .description(
      'members of an account: who signs in to its panel, and which owners are mailed about failing endpoints',
    )

  withAccountOptions(
    member
      .command('create')
      .description('add a member to an account; prints a link, once, by which the member sets a password and signs in'),
  )
    .requiredOption('--email <address>', 'e-mail address')
    .option('--role <role>', 'owner (may do everything, and is notified by e-mail) or member', roleOption, 'owner')
    .action((options: Common & { email: string; role: MemberRole }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, email, role } = options
        const [memberId, link] = await inTransaction(runtime.db, async (tx) => {
          const { memberId: created, token } = await makeMember(tx, account, { email, role })
          return [created, linkAddress(addressOf(runtime.settings), token)] as const
        })
        printer.result(
          { member_id: memberId, email, role, link },
          `member ${memberId} created: ${email}, ${role}; to sign in, open this link within ${LIMITS.invitationDays} days, shown only now:\n${link}`,
        )
      }),
    )

  withAccountOptions(
    member
      .command('link')
      .description('print a link, once, by which a member signs in for the first time or sets a new password'),
  )
    .requiredOption('--member <id>', 'member', (text) => idNumber('--member', text))
    .option('--remove-codes', 'also remove codes and passkeys, for a member who has lost the device')
    .action((options: Common & { member: number; removeCodes?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, member: memberId, removeCodes = false } = options
        const made = await inTransaction(runtime.db, (tx) => makeMemberLink(tx, account, memberId, removeCodes))
        const link = linkAddress(addressOf(runtime.settings), made.token)
        printer.result(
          { member_id: memberId, kind: made.kind, link },
          `${made.kind === 'invitation' ? 'to sign in for the first time' : 'to set a new password'}, open this link, shown only now:\n${link}`,
        )
      }),
    )

  withAccountOptions(member.command('list').description('list the members of an account')).action((options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      const members = await membersList(runtime.db, options.account)
      const lines = members.map((row) => `${row.memberId}\t${row.role}\t${row.email}`)
      printer.result({ members }, lines.length === 0 ? 'no members' : lines.join('\n'))
    }),
  )

  withAccountOptions(member.command('delete').description('remove a member from an account'))
    .requiredOption('--member <id>', 'member', (text) => idNumber('--member', text))
    .action((options: Common & { member: number }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        await inTransaction(runtime.db, (tx) => dropMember(tx, options.account, options.member))
        printer.result({ deleted: options.member }, `member ${options.member} deleted`)
      }),
    )
}
