import type { Mutant } from './mutant.ts'

const SHARD_TEXTS = 'src/db/near/shard-texts.ts'
const NEAR_READS = 'src/db/near/near-reads.ts'
const NEAR_READS_TEST = 'src/db/near/near-reads.test.ts'

const FILE = 'test/database/nodes.full.pg.test.ts'
const NODES = 'src/db/distribution/nodes.ts'

/** Faults in handling a node of a cluster that is down. */
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
    edits: [{ file: 'src/db/connections/connection-errors.ts', from: "if (isNodeAway(error)) return 'node'", to: '' }],
    file: FILE,
    test: 'a node that fails a statement and answers again costs that request',
  },
  {
    name: 'a-look-up-fails-for-all-accounts',
    edits: [{ file: 'src/platform/turns/by-turn.ts', from: 'waiting.get(accountId)', to: '[...waiting.values()][0]' }],
    file: FILE,
    test: 'reads of two accounts that share a turn fail apart',
  },
  {
    name: 'a-shard-is-read-where-it-was',
    edits: [{ file: SHARD_TEXTS, from: ') near where exists (', to: ') near where true or exists (' }],
    file: NEAR_READS_TEST,
    test: 'a read is sent to the node under the name of its shard, once the node is connected',
  },
  {
    name: 'an-empty-answer-of-a-node-is-believed',
    edits: [
      {
        file: NEAR_READS,
        from: 'answer !== undefined && answer.rows.length > 0',
        to: 'answer !== undefined',
      },
    ],
    file: NEAR_READS_TEST,
    test: 'an answer without rows, or none, is asked at the coordinator',
  },
  {
    name: 'an-old-map-of-shards-is-used',
    edits: [{ file: NEAR_READS, from: 'now - this.#knownAt > KNOWN_MS', to: 'now < this.#knownAt' }],
    file: NEAR_READS_TEST,
    test: 'the places of shards are read again after five seconds, and not used after ten',
  },
  {
    name: 'a-read-of-two-accounts-goes-to-one-node',
    edits: [
      {
        file: SHARD_TEXTS,
        from: 'accounts.every((position) => values?.[position] === accountId)',
        to: 'accounts.length > 0',
      },
    ],
    file: 'test/database/shard-texts.test.ts',
    test: 'has parameters of two accounts',
  },
]
