// The look of charts: axes, lines and tooltips.

export const AXIS = { tickLine: false, tick: { fill: 'var(--sw-muted)', fontSize: 12 } } as const
export const TIME_AXIS = { ...AXIS, axisLine: { stroke: 'var(--sw-line-strong)' }, height: 24 } as const
export const VALUE_AXIS = { ...AXIS, axisLine: false } as const
export const GRID = { vertical: false, stroke: 'var(--sw-line)' } as const
export const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    background: 'var(--sw-surface)',
    border: '1px solid var(--sw-line-strong)',
    borderRadius: 6,
    padding: '6px 10px',
    fontSize: 12,
  },
  itemStyle: { color: 'var(--sw-text)', padding: 0 },
  labelStyle: { color: 'var(--sw-muted)' },
} as const
