import { expect, test } from 'vitest'
import { inTurn } from '../harness/gate.ts'
import { blocksOf, openGround, runPage } from './page.ts'

// a gate runs it on one of the two, chosen by its seed
test.for(inTurn(['empty', 'demo'] as const))(
  'the tutorial: every command is run as it is written, and answers what the page shows (%s database)',
  { timeout: 180_000 },
  async (kind) => {
    await using ground = await openGround(kind)
    const shown = (await blocksOf('docs/tutorial.md')).filter((block) => block.kind === '')
    expect(shown.length).toBeGreaterThan(8)
    await runPage('docs/tutorial.md', ground)
  },
)
