import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CONTEXT } from './dockerfile.ts'

export const RULES = join(CONTEXT, 'deploy/prometheus/alerts.yaml')

export interface Alert {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

export function alerts(): Alert[] {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Alert[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** The expressions of the dashboard's panels. */
export function panelExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(join(CONTEXT, 'deploy/grafana/shelfwire.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Our metrics that an expression names, each with the labels that it selects or groups by. */
export function namedIn(expression: string): { name: string; labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/))
  return [...expression.matchAll(/\b(shelfwire_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selected = '']) => ({
    name,
    labels: [...[...selected.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label), ...grouped],
  }))
}
