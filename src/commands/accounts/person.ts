import type { Command } from 'commander'
import { erasePerson, previewPersonErasure } from '../../erasure/person.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { requireEmail } from '../../people/links.ts'
import { withRuntime } from '../console/run.ts'

/** `shelfwire person erase`. */
export function personCommands(program: Command): void {
  program
    .command('person')
    .description('people who sign in to the panel, regardless of their accounts')
    .command('erase')
    .description('delete the data of a person; without --confirm, only count the data')
    .argument('<email>', 'the person’s address')
    .option('--confirm <email>', 'the address again: the person is signed out at once, and erased')
    .option('--reference <text>', 'reference in the receipt, such as the number of a request; no personal data')
    .option('--json', 'print one JSON object')
    .action((email: string, options: { confirm?: string; reference?: string; json?: true }) =>
      withRuntime(options, async ({ runtime: { db }, printer }) => {
        requireEmail(email)
        if (options.confirm === undefined) {
          const { lastOwnerOf, ...found } = await previewPersonErasure(db, email)
          return printer.result(
            { state: 'counted', ...found, last_owner_of: lastOwnerOf },
            [
              ...Object.entries(found).map(([of, number]) => `${number}\t${NAMES[of] ?? of}`),
              ...lastOwnerOf.map(({ accountId, name }) => `last owner of account ${accountId} "${name}"`),
              `Nothing was erased. To erase the person: shelfwire person erase ${email} --confirm ${email}`,
            ].join('\n'),
          )
        }
        if (options.confirm.toLowerCase() !== email.toLowerCase())
          throw new ShelfwireError('invalid-input', '--confirm must be the address again')
        using progress = printer.progress('Erasing')
        const erased = await erasePerson(db, email, (entries) =>
          progress.update(entries, null, 'entries of audit logs'),
        )
        const reference = options.reference ?? null
        printer.result(
          { state: 'erased', erased_at: new Date().toISOString(), reference, ...erased },
          [
            `The person is erased${reference === null ? '' : ` (${reference})`}. This is the receipt; it is not kept:`,
            ...Object.entries(erased).map(([of, number]) => `${number}\t${NAMES[of] ?? of}`),
          ].join('\n'),
        )
      }),
    )
}

const NAMES: Readonly<Record<string, string>> = {
  signIns: 'sign-ins',
  links: 'invitations and links in mails',
  views: 'kept lists of products',
  auditEntries: 'entries of audit logs',
}
