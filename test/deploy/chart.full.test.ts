import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { directoryOfFile } from '../harness/world.ts'
import { CONTEXT } from './dockerfile.ts'

// The chart as Helm renders it, with Helm's template engine and functions from Debian, which does not have Helm itself.

const CHART = join(CONTEXT, 'deploy/helm/shelfwire')
const SOURCES = '/usr/share/gocode/src/github.com'
const isSkipped = !['/usr/bin/go', `${SOURCES}/Masterminds/sprig`, `${SOURCES}/ghodss/yaml`].every((path) =>
  existsSync(path),
)
const directory = directoryOfFile('chart')

interface Container {
  env: { name: string; value: string }[]
  args: string[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: { limits?: { memory?: string } }
  readinessProbe?: { httpGet: { port: string } }
  volumeMounts: { name: string }[]
}
interface Resource {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // oxlint-disable-next-line typescript/no-explicit-any
  spec: any
}

type Values = Record<string, object>
const values = () => parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Values

async function render(changed: Values): Promise<Resource[]> {
  const program = fileURLToPath(new URL('render-chart.go', import.meta.url))
  const { stdout } = await promisify(execFile)(
    '/usr/bin/go',
    ['run', program, CHART, JSON.stringify(changed), 'shop'],
    {
      env: { PATH: process.env['PATH'], HOME: directory, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' },
      maxBuffer: 1e8,
    },
  )
  return parseAllDocuments(stdout)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!
      return document.toJS() as Resource | null
    })
    .filter((resource) => resource !== null)
}
const names = (resources: readonly Resource[]) =>
  resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
const podsOf = (resources: readonly Resource[]) =>
  resources.flatMap(({ kind, spec }) =>
    kind === 'Deployment' || kind === 'Job'
      ? [spec.template.spec as { containers: Container[]; volumes: { name: string }[]; securityContext: object }]
      : [],
  )

test.skipIf(isSkipped)(
  'the chart has two deployments, a job that migrates before them, budgets and a service; all pods without rights',
  { timeout: 120_000 },
  async () => {
    const resources = await render(values())
    expect(names(resources)).toEqual([
      'Deployment shop-api',
      'Deployment shop-work',
      'Job shop-migrate',
      'PodDisruptionBudget shop-api',
      'PodDisruptionBudget shop-work',
      'Service shop',
    ])
    const pods = podsOf(resources)
    expect(pods).toHaveLength(3)
    for (const { containers, volumes, securityContext } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65_534,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      const [container] = containers as [Container]
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
      const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
      expect(container.env).toHaveLength(Object.keys(env).length)
      expect(env).toMatchObject({
        SECRET_KEY_FILE: '/run/secrets/shelfwire/secret-key',
        PUBLIC_URL: 'https://shop.example.com',
      })
    }
    expect(pods.map(({ containers }) => containers[0]!.args.join(' ')).sort()).toEqual([
      'migrate',
      'serve --roles api',
      'serve --roles work',
    ])
    for (const { spec } of resources.filter(({ kind }) => kind === 'Deployment')) {
      const [{ ports, readinessProbe }] = spec.template.spec.containers as [Container]
      expect(ports?.map(({ name }) => name)).toContain(readinessProbe?.httpGet.port)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels as object)
    }
    const service = resources.find(({ kind }) => kind === 'Service')!
    const api = resources.find(({ metadata }) => metadata.name === 'shop-api')!
    expect(api.spec.template.metadata.labels).toMatchObject(service.spec.selector as object)
    expect(api.spec.replicas).toBe(2)
  },
)

test.skipIf(isSkipped)(
  'with autoscaling the replicas are the scaler’s; an ingress, a claim and settings come through',
  { timeout: 120_000 },
  async () => {
    const from = values()
    const scaled = (part: object) => ({
      ...part,
      autoscaling: { ...(part as { autoscaling: object }).autoscaling, enabled: true },
    })
    const resources = await render({
      ...from,
      api: scaled(from['api']!),
      work: { ...scaled(from['work']!), settings: { PUBLIC_URL: 'https://other.example.com' } },
      ingress: { ...from['ingress'], enabled: true },
      data: { existingClaim: 'pictures' },
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { disk: 'ssd' },
    })
    expect(names(resources)).toEqual(expect.arrayContaining(['HorizontalPodAutoscaler shop-work', 'Ingress shop']))
    for (const { kind, spec } of resources) {
      if (kind === 'Deployment') expect(spec.replicas).toBeUndefined()
      if (kind === 'HorizontalPodAutoscaler') expect(spec.metrics).toHaveLength(1)
      if (kind === 'Deployment' || kind === 'Job')
        expect(spec.template.spec).toMatchObject({
          imagePullSecrets: [{ name: 'registry' }],
          nodeSelector: { disk: 'ssd' },
          volumes: expect.arrayContaining([{ name: 'data', persistentVolumeClaim: { claimName: 'pictures' } }]),
        })
    }
    const work = resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'shop-work')!
    // a setting of a role overrides the common one
    expect((work.spec.template.spec.containers as [Container])[0].env).toContainEqual({
      name: 'PUBLIC_URL',
      value: 'https://other.example.com',
    })
  },
)
