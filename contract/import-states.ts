// States and origins of import runs.

export const IMPORT_STATES = [
  'waiting',
  'fetching',
  'reading',
  'writing',
  'resolving',
  'succeeded',
  'unchanged',
  'held',
  'refused',
  'failed',
  'canceled',
] as const

export const IMPORT_TRIGGERS = ['schedule', 'request', 'upload', 'command', 'undo'] as const
