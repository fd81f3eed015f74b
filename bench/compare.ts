import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FIGURES, takeTurn, type Figures } from './tree-turn.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * `npm run bench -- compare REF [TURNS]`: measures another commit and the working tree in turns (A B B A) and prints the ratio of the
 * medians for each figure, with the spread of its turns. Two turns of each by default, about five minutes. Compare the figures of processor
 * time first: unlike wall-clock time, they are reliable on a busy machine.
 * @returns false when there is no such commit
 */
export async function compare(ref: string, turns: number): Promise<boolean> {
  const name = await run('git', ['rev-parse', '--short', '--verify', '--quiet', `${ref}^{commit}`], { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  if (name === null) {
    console.error(`there is no commit ${ref}`)
    return false
  }
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-compare-'))
  const other = join(directory, 'tree')
  try {
    await run('git', ['worktree', 'add', '--detach', other, ref], { cwd: root })
    await installPackages(other)
    const figures: Record<'theirs' | 'ours', Figures[]> = { theirs: [], ours: [] }
    for (let turn = 0; turn < turns; turn++)
      for (const who of turn % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)) {
        console.log(`turn ${turn + 1} of ${turns}: ${who === 'ours' ? 'this tree' : name}`)
        figures[who].push(await takeTurn(who === 'ours' ? root : other))
      }
    console.log(`\n| what | ${name} | this tree | ratio | |\n|---|---|---|---|---|`)
    for (const [what, unit] of Object.entries(FIGURES)) {
      const values = (of: readonly Figures[]) => of.map((one) => one[what] ?? NaN)
      const [theirs, ours] = [values(figures.theirs), values(figures.ours)]
      const ratio = middle(ours) / middle(theirs)
      // less is better, except for rates per second
      const worse = unit === '/s' ? 1 / ratio - 1 : ratio - 1
      const say = (of: readonly number[]) => of.map((value) => inUnit(value, unit)).join('; ')
      console.log(
        `| ${what} (${unit}) | ${say(theirs)} | ${say(ours)} | ${ratio.toFixed(2)}x, spread ${spread(theirs)} and ${spread(ours)} | ${worse > 0.05 ? 'slower' : worse < -0.05 ? 'faster' : ''} |`,
      )
    }
    return true
  } finally {
    await run('git', ['worktree', 'remove', '--force', other], { cwd: root }).catch(() => {})
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Installs the packages of the other tree: copies ours if the lock files are the same, otherwise installs them from the
 * registry.
 */
async function installPackages(tree: string): Promise<void> {
  const [ours, theirs] = await Promise.all([root, tree].map((of) => readFile(join(of, 'package-lock.json'), 'utf8')))
  if (ours === theirs) {
    // symbolic links of workspaces are relative, so that a copy points into its own tree
    await cp(join(root, 'node_modules'), join(tree, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    return
  }
  console.log('installing the packages of the other commit')
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tree, maxBuffer: 1e8 })
}

/** The median; for an even number of values the mean of the two in the middle. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = NaN, high = low] = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1)
  return (low + high) / 2
}

/** The difference between the largest and the smallest turn, as a share of the median. */
const spread = (values: readonly number[]) =>
  `${Math.round(((Math.max(...values) - Math.min(...values)) / middle(values)) * 100)} %`

function inUnit(value: number, unit: string): string {
  return unit === 's' ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}
