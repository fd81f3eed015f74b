import { accounts } from './accounts.ts'
import { bodies } from './bodies.ts'
import { bulk } from './bulk.ts'
import { citus } from './citus.ts'
import { cores } from './cores.ts'
import { compare } from './compare.ts'
import { feeds } from './feeds.ts'
import { images } from './images.ts'
import { million } from './million.ts'
import { mirror } from './mirror.ts'
import { panel } from './panel.ts'
import { neighbours } from './neighbours.ts'
import { openReport, type Report } from './report.ts'
import { scaling } from './scaling.ts'
import { small } from './small.ts'
import { webhooks } from './webhooks.ts'

// `npm run bench`: all benchmarks; `npm run bench -- million` runs one of them. Every important figure is a ratio to a limit
// or to a baseline measured in the same run, because machines differ and their speed varies; absolute figures are for
// orientation. No benchmark fails on a missed goal.

const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  small,
  million,
  accounts,
  webhooks,
  bulk,
  bodies,
  feeds,
  images,
  mirror,
  neighbours,
  panel,
  citus,
  cores,
  scaling,
}

const wanted = process.argv.slice(2)
if (wanted[0] === 'compare') {
  const [, ref = 'HEAD', turns = '2'] = wanted
  if (!/^[1-9]$/.test(turns)) {
    console.error(`the number of turns is a digit from 1 to 9, not ${turns}`)
    process.exit(2)
  }
  process.exit((await compare(ref, Number(turns))) ? 0 : 2)
}
const unknown = wanted.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}
const report = openReport()
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n=== ${name}`)
  await run(report)
}
process.exit(0)
