import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Session } from 'node:inspector'
import { test } from 'vitest'
import { createAccount } from '../harness/account.ts'
import { openRunBench, MAPPING, stopped } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'
import { until } from '../harness/interleave.ts'

const runs = ofFile(openRunBench)
const KEYS = 100
const WORDS = ['steel', 'größe', 'handle', 'wood', 'garden', 'tool', 'long', 'cm', 'kg', 'red']
function value(seed: number, characters: number): string {
  let text = ''
  for (let i = seed; text.length < characters; i++) text += `${WORDS[(i * 7 + seed) % 10]} ${(i * 2654435761) % 9973} `
  return text.slice(0, characters)
}
const file = (from: number, count: number) =>
  `sku,cost,qty,title,ean,${Array.from({ length: KEYS }, (_, k) => `k${k}`).join(',')}\n` +
  Array.from({ length: count }, (_, i) => `S${i},1,2,T${i},,${Array.from({ length: KEYS }, (_, k) => value(from + i * 100 + k, 9_900)).join(',')}\n`).join('')

/** Longest stretches of the loop, by what the sampler saw. */
async function watched(name: string, work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const session = new Session()
  session.connect()
  const post = (method: string, params = {}) => new Promise<any>((resolve, reject) => session.post(method, params, (e: any, r: any) => (e ? reject(e) : resolve(r))))
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: 1000 })
  await post('Profiler.start')
  const stretches: { cpu: number; wall: number; from: number; to: number }[] = []
  const hr = () => Number(process.hrtime.bigint() / 1000n)
  let cpu = (process as any).threadCpuUsage()
  let at = hr()
  let on = true
  const tick = () => {
    const now = hr()
    const used = (process as any).threadCpuUsage()
    const ms = (used.user + used.system - cpu.user - cpu.system) / 1000
    if (ms > 10) stretches.push({ cpu: ms, wall: (now - at) / 1000, from: at, to: now })
    cpu = used
    at = hr()
    if (on) setImmediate(tick)
  }
  tick()
  delay.enable()
  const began = performance.now()
  await work()
  const took = performance.now() - began
  on = false
  delay.disable()
  const { profile } = await post('Profiler.stop')
  session.disconnect()
  const nodes = new Map<number, any>(profile.nodes.map((n: any) => [n.id, n]))
  const parent = new Map<number, number>()
  for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c, n.id)
  const offset = profile.startTime
  let t = offset
  const samples: [number, number][] = profile.samples.map((id: number, i: number) => [(t += profile.timeDeltas[i]), id])
  const nameOf = (n: any) => `${n.callFrame.functionName || '?'}@${n.callFrame.url.split('/').slice(-2).join('/')}:${n.callFrame.lineNumber + 1}`
  stretches.sort((a, b) => b.cpu - a.cpu)
  console.log(`${name}: ${took.toFixed(0)} ms, loop delay max ${(delay.max / 1e6).toFixed(0)} ms p99 ${(delay.percentile(99) / 1e6).toFixed(0)}; stretches of cpu over 10 ms: ${stretches.length}, longest ${stretches.slice(0, 8).map((s) => `${s.cpu.toFixed(0)}`).join(' ')}`)
  for (const s of stretches.slice(0, 4)) {
    const counts = new Map<string, number>()
    for (const [time, id] of samples) {
      if (time < s.from || time > s.to) continue
      const stack: string[] = []
      for (let n: number | undefined = id; n !== undefined && stack.length < 40; n = parent.get(n)) { const x = nodes.get(n); if (x.callFrame.functionName !== '(root)') stack.push(nameOf(x)) }
      const own = stack.filter((f) => /src|pg|json/.test(f)).slice(0, 4).join(' < ') || stack.slice(0, 3).join(' < ')
      counts.set(`${stack[0]} | ${own}`, (counts.get(`${stack[0]} | ${own}`) ?? 0) + 1)
    }
    console.log(`  ${s.cpu.toFixed(0)} ms cpu (wall ${s.wall.toFixed(0)}):`)
    for (const [stack, n] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 6)) console.log(`     ${n} ${stack}`)
  }
}

test('loop', { timeout: 600_000 }, async () => {
  const account = await createAccount(runs.bench)
  const mapping = { ...MAPPING, attributes: Array.from({ length: KEYS }, (_, k) => `k${k}`) }
  const N = Number(process.env['HEAVY'] ?? 16)
  const first = file(0, N)
  const second = file(50_000, N)
  const bring = async (content: string) => {
    const runId = await runs.ask(account, content, { mapping, isConfirmed: true })
    await using _loop = stopped(runs.start())
    await until('ended', async () => !['waiting', 'fetching', 'reading', 'writing'].includes((await runs.run(account, runId)).state), 500_000)
    const r = await runs.run(account, runId)
    if (r.created + r.changed !== N) throw new Error(JSON.stringify(r).slice(0, 2000))
  }
  await watched('import new', () => bring(first))
  await watched('shelve new', () => runs.bench.shelf.drain(account.accountId))
  await watched('import changed', () => bring(second))
  await watched('shelve changed', () => runs.bench.shelf.drain(account.accountId))
})
