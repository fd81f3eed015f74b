import type { Command } from 'commander'
import { MEMBER_ROLES, membersList, type MemberRole } from '../accounts/members.sql.ts'
import { createMember, deleteMember } from '../accounts/members.ts'
import { accountGet } from '../accounts/accounts.sql.ts'
import { inTransaction } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { ofAccount } from './accounts.ts'
import { withRuntime } from './run.ts'
import { idNumber, type Common } from './write.ts'

function roleOption(text: string): MemberRole {
  const role = MEMBER_ROLES.find((name) => name === text)
  if (role === undefined)
    throw new ShelfwireError('invalid-input', `--role is ${MEMBER_ROLES.join(' or ')}, not "${text}"`)
  return role
}

export function memberCommands(program: Command): void {
  const member = program
    .command('member')
    .description('members of an account; its owners are notified by e-mail about failing endpoints')

  ofAccount(member.command('create').description('add a member to an account'))
    .requiredOption('--email <address>', 'e-mail address')
    .option('--role <role>', 'owner (is notified by e-mail) or member', roleOption, 'owner')
    .action((options: Common & { email: string; role: MemberRole }) =>
      withRuntime(options.json, async ({ runtime, printer }) => {
        const { account, email, role } = options
        const memberId = await inTransaction(runtime.db, (tx) => createMember(tx, account, { email, role }))
        printer.result({ member_id: memberId, email, role }, `member ${memberId} created: ${email}, ${role}`)
      }),
    )

  ofAccount(member.command('list').description('list the members of an account')).action((options: Common) =>
    withRuntime(options.json, async ({ runtime, printer }) => {
      if ((await accountGet(runtime.db, options.account)) === undefined)
        throw new ShelfwireError('unknown-account', `there is no account ${options.account}`)
      const members = await membersList(runtime.db, options.account)
      const lines = members.map((row) => `${row.memberId}\t${row.role}\t${row.email}`)
      printer.result({ members }, lines.length === 0 ? 'no members' : lines.join('\n'))
    }),
  )

  ofAccount(member.command('delete').description('remove a member from an account'))
    .requiredOption('--member <id>', 'member', (text) => idNumber('--member', text))
    .action((options: Common & { member: number }) =>
      withRuntime(options.json, async ({ runtime, printer }) => {
        await inTransaction(runtime.db, (tx) => deleteMember(tx, options.account, options.member))
        printer.result({ deleted: options.member }, `member ${options.member} deleted`)
      }),
    )
}
