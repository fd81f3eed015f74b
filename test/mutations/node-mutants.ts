import type { Mutant } from './mutant.ts'

const FILE = 'test/database/nodes.full.pg.test.ts'
const NODES = 'src/db/nodes.ts'

/** Of a node behind a coordinator that is away. */
export const NODE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-scan-needs-every-node',
    edits: [{ file: NODES, from: 'if (known === null) return {', to: 'if (known !== undefined) return {' }],
    file: FILE,
    test: 'while a node is away, work of the other accounts is found without notifications',
  },
  {
    name: 'requests-reach-a-node-that-is-away',
    edits: [{ file: 'src/serve/guard.ts', from: 'context.db.nodes.requirePresent(caller.accountId)', to: '' }],
    file: FILE,
    test: 'an account whose node is known to be away is asked for by nothing',
  },
  {
    name: 'work-on-a-node-that-is-away-is-tried',
    edits: [{ file: NODES, from: 'if (this.isAway(accountId)) return undefined\n    const', to: 'const' }],
    file: FILE,
    test: 'an account whose node is known to be away is asked for by nothing',
  },
  {
    name: 'a-node-that-is-away-is-a-lost-connection',
    edits: [{ file: 'src/db/connection-errors.ts', from: "if (isNodeAway(error)) return 'node'", to: '' }],
    file: FILE,
    test: 'a node that fails a statement and answers again costs that request',
  },
  {
    name: 'a-look-up-fails-for-all-accounts',
    edits: [{ file: 'src/platform/turns/by-turn.ts', from: 'waiting.get(accountId)', to: '[...waiting.values()][0]' }],
    file: FILE,
    test: 'reads of two accounts that share a turn fail apart',
  },
]
