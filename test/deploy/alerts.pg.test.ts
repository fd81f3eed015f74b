import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry, type Metric } from 'prom-client'
import { beforeAll, expect, test, vi } from 'vitest'
import { client, startTestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { alerts, namedIn, panelExpressions } from './alert-rules.ts'
import { CONTEXT } from './dockerfile.ts'

// The alerts and the dashboard of deploy/ use only metrics and labels that a service has, and each alert has a section in the guide.

const { database } = worldOfFile()
/** The labels of each metric of a service in all roles, by the name in its lines. */
const known = new Map<string, readonly string[]>()
/** Labels that Prometheus adds to every line. */
const OF_PROMETHEUS = ['job', 'instance']
let text = ''

beforeAll(async () => {
  const registered: { name: string; labelNames: readonly string[] }[] = []
  const register = Registry.prototype.registerMetric
  vi.spyOn(Registry.prototype, 'registerMetric').mockImplementation(function (this: Registry, metric: Metric) {
    registered.push(metric as unknown as { name: string; labelNames: readonly string[] })
    return register.call(this, metric)
  })
  await using service = await startTestService(database, {
    roles: ['api', 'work'],
    // the collector is unreachable, but spans are still counted
    env: { MIRROR: 'on', METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  })
  ;({ text } = await client(service.service.metricsUrl!, null)('/metrics'))
  registered.push({ name: 'shelfwire_request_seconds', labelNames: ['route', 'status'] })
  for (const name of new Set(
    [...text.matchAll(/^# TYPE (shelfwire_(?:nodejs|process)_\w+)/gm)].map(([, name = '']) => name),
  ))
    registered.push({ name, labelNames: [] })
  for (const { name, labelNames } of registered) {
    const type = new RegExp(`^# TYPE ${name} (\\w+)`, 'm').exec(text)?.[1]
    if (type === undefined) continue
    if (type !== 'histogram') known.set(name, labelNames)
    else for (const end of ['bucket', 'sum', 'count']) known.set(`${name}_${end}`, [...labelNames, 'le'])
  }
})

const faultsOf = (expression: string) =>
  namedIn(expression).flatMap(({ name, labels }) => {
    const has = known.get(name)
    if (has === undefined) return [`${name} is no metric`]
    return labels
      .filter((label) => !has.includes(label) && !OF_PROMETHEUS.includes(label))
      .map((label) => `${name} has no label ${label}`)
  })

test('every metric and label that alerts and the dashboard name is one that /metrics has', () => {
  expect(known.size).toBeGreaterThan(30)
  const expressions = [...alerts().map(({ expr }) => expr), ...panelExpressions()]
  expect(expressions.length).toBeGreaterThan(40)
  for (const expression of expressions.filter((one) => !one.startsWith('up{')))
    expect(namedIn(expression), expression).not.toEqual([])
  expect(expressions.flatMap(faultsOf)).toEqual([])
  // the check itself detects faults
  expect(faultsOf('max by (nothing) (shelfwire_unready{cause="x"}) + shelfwire_nothing')).toHaveLength(3)
})

test('every metric of ours is on the dashboard, and explained in docs/operations.md', () => {
  const shown = new Set(panelExpressions().flatMap((one) => namedIn(one).map(({ name }) => name)))
  const operations = readFileSync(join(CONTEXT, 'docs/operations.md'), 'utf8')
  const ours = new Set([...text.matchAll(/^# TYPE (shelfwire_(?!nodejs|process)\w+)/gm)].map(([, name = '']) => name))
  const unshown = [...ours].filter((name) => ![...shown].some((one) => one.startsWith(name)))
  // not on the dashboard: sizes and times of single steps
  expect(unshown.sort()).toEqual([
    'shelfwire_image_fetch_seconds',
    'shelfwire_last_backup_duration_seconds',
    'shelfwire_last_backup_size_bytes',
  ])
  expect([...ours].filter((name) => !operations.includes(name))).toEqual([])
})

test('every alert says what it is about, how bad it is, and where its runbook is', () => {
  const operations = readFileSync(join(CONTEXT, 'docs/operations.md'), 'utf8')
  const sections = [...operations.matchAll(/^### (Shelfwire\w+)\n\n(.+)/gm)]
  expect(sections.map(([, name]) => name)).toEqual(alerts().map(({ alert }) => alert))
  for (const [, name, first = ''] of sections) expect(first.length, name).toBeGreaterThan(100)
  for (const { alert, labels, annotations } of alerts()) {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    expect(['critical', 'warning', 'info']).toContain(labels.severity)
    expect(annotations.summary.length).toBeGreaterThan(20)
  }
})

test('figures that Node’s dashboards know are there under their own names, with the same values', () => {
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
  ])
    expect(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1], name).toBe(
      new RegExp(`^shelfwire_${name} (\\S+)$`, 'm').exec(text)?.[1],
    )
  expect(text).toMatch(/^shelfwire_build_info\{version="[^"]+",node="v\d+\.[^"]+"\} 1$/m)
})
