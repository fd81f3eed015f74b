import type { Mutant } from './mutant.ts'

// Protections of mirrors that the client's command line keeps.

export const CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'what-changed-meanwhile-is-a-difference',
    edits: [
      {
        file: 'client/src/verify/verify.ts',
        from: 'const findings = found.findings.filter(({ id }) => !ids.has(id))',
        to: 'const { findings } = found',
      },
    ],
    file: 'test/client/verify-command.full.pg.test.ts',
    test: 'a mirror is equal, also when the service has changed since and while it is compared',
  },
  {
    name: 'a-directory-has-two-writers',
    edits: [
      {
        file: 'client/src/targets/directory-lock.ts',
        from: "      if (!isGone(holder, touched.mtimeMs)) throw new DirectoryError('locked', this.#heldBy(holder))\n",
        to: '',
      },
    ],
    file: 'test/client/mirror-command.full.pg.test.ts',
    test: 'two mirrors in one directory: the second is refused, a lock of one that was killed is not in the way',
  },
  {
    name: 'a-cut-off-file-is-written-over',
    edits: [
      {
        file: 'client/src/targets/ndjson.ts',
        from: '  throw new DirectoryError(\n',
        to: '  if (line > 0) return undefined as never\n  throw new DirectoryError(\n',
      },
    ],
    file: 'test/client/mirror-command.full.pg.test.ts',
    test: 'a file that was cut off ends the mirror before it writes over it',
  },
]
