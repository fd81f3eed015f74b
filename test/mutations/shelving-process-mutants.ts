import type { Mutant } from './mutant.ts'

// Protections that keep the service and its shelving process from doing the same work, and from leaving work to a process that has ended.

const SHELVING = 'test/shelf/shelving-process.full.pg.test.ts'

export const SHELVING_PROCESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'the-service-shelves-beside-its-shelving-process',
    edits: [
      {
        file: 'src/shelf/shelf.ts',
        from: '    if (!apart.isWorking) return false\n',
        to: '    if (apart !== null) return false\n',
      },
    ],
    file: SHELVING,
    test: 'it takes over what lasts, and ends when nothing is left (I184)',
  },
  {
    name: 'a-shelving-process-that-died-is-left-its-work',
    edits: [
      {
        file: 'src/shelf/apart/shelving-process.ts',
        from: 'return performance.now() - heardAt < LIMITS.shelvingProcessSilenceMs',
        to: 'return heardAt !== restsUntil',
      },
    ],
    file: SHELVING,
    test: 'what it was at when it was killed is shelved by the service (I184)',
  },
  {
    name: 'the-shelving-process-knows-no-suspensions',
    edits: [
      {
        file: 'src/shelf/apart/process.ts',
        from: 'await openSuspensions(db, wake, log)',
        to: '{ stop: () => void openSuspensions }',
      },
    ],
    file: SHELVING,
    test: 'it takes over what lasts, and ends when nothing is left (I184)',
  },
  {
    name: 'requests-alone-start-a-shelving-process',
    edits: [
      {
        file: 'src/shelf/shelf.ts',
        from: '    this.#busySince = undefined\n    return true\n',
        to: '    return true\n',
      },
    ],
    file: SHELVING,
    test: 'it takes over what lasts, and ends when nothing is left (I184)',
  },
]
